import { inLanguage, type Locale } from '../pages/locale.ts';

/** The page of a session. */
export const checkoutPath = (sessionId: string, locale: Locale): string => inLanguage(`/checkout/${sessionId}`, locale);

/** Where its form asks what it costs. */
export const quotePath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/quote`, locale);

/** Where its form pays. */
export const payPath = (sessionId: string, locale: Locale): string => inLanguage(`/checkout/${sessionId}/pay`, locale);

/** The page of the session that the path of a request names; undefined where it names none. */
export function checkoutPathIn(path: string, locale: Locale): string | undefined {
  const [, sessionId] = /^\/checkout\/([\w-]{1,100})(?:\/(?:quote|pay))?$/.exec(path) ?? [];
  return sessionId && checkoutPath(sessionId, locale);
}
