export interface Patience {
  /** How often the request is sent at most. */
  tries: number;
  /** Called after each try to which no answer has come. */
  onRefusal: () => void;
  /** Whether it should stop trying, because the buyer waits for something else. */
  isHurried?: () => boolean;
  /** Whether it takes an answer whose status asks for another try. */
  accepts?: (answer: Response) => boolean;
}

const longestPauseMs = 8_000;
/** Longer than the gateway waits for a function. */
const longestTryMs = 35_000;

/**
 * Sends a request again while the network fails, or while the gateway refuses it. The pauses become longer. They are
 * random, so that buyers who were refused together do not come back together. Only for requests that have no second
 * effect.
 */
export async function fetchPatiently(address: string, request: RequestInit, patience: Patience): Promise<Response> {
  for (let sent = 1; ; sent += 1) {
    const answer = await sendOnce(address, request);
    if (answer instanceof Response && (!isRefused(answer) || patience.accepts?.(answer))) return answer;
    patience.onRefusal();
    if (sent === patience.tries || patience.isHurried?.()) return orThrow(answer);
    await pause(pauseMs(sent, answer), request.signal);
  }
}

function orThrow(answer: unknown): Response {
  if (answer instanceof Response) return answer;
  throw answer;
}

/** Whether nobody has answered but the gateway, or a function that asks for another try. */
export const isRefused = ({ status }: Response): boolean => status === 429 || status >= 500;

/**
 * The answer with its whole body, or the error if it did not come in time. Throws if the caller has given up the
 * request.
 */
async function sendOnce(address: string, request: RequestInit): Promise<unknown> {
  const late = new AbortController();
  const stop = () => late.abort();
  const timer = setTimeout(stop, longestTryMs);
  request.signal?.addEventListener('abort', stop);
  if (request.signal?.aborted) stop();
  try {
    const answer = await fetch(address, { ...request, signal: late.signal });
    await answer.clone().arrayBuffer();
    return answer;
  } catch (error) {
    if (request.signal?.aborted) throw error;
    return error;
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', stop);
  }
}

/** At least as long as the answer says in `Retry-After`. */
function pauseMs(sent: number, answer: unknown): number {
  const least = answer instanceof Response ? Number(answer.headers.get('retry-after')) * 1_000 || 0 : 0;
  return Math.min(longestPauseMs, Math.max(least, 2 ** (sent - 1) * 1_000 * (0.5 + Math.random())));
}

const pause = (ms: number, signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => resolve());
  });
