/** The page of a session. */
export const checkoutPath = (sessionId: string): string => `/checkout/${sessionId}`;

/** Where its form asks what it costs. */
export const quotePath = (sessionId: string): string => `${checkoutPath(sessionId)}/quote`;

/** Where its form pays. */
export const payPath = (sessionId: string): string => `${checkoutPath(sessionId)}/pay`;

/** The session's page in the path of a request; undefined where it is about none. */
export const checkoutPathIn = (path: string): string | undefined =>
  /^(\/checkout\/[\w-]{1,100})(?:\/(?:quote|pay))?$/.exec(path)?.[1];
