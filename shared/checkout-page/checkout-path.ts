import { inLanguage, type Locale } from '../pages/locale.ts';

/** The page of a session. */
export const checkoutPath = (sessionId: string, locale: Locale): string => inLanguage(`/checkout/${sessionId}`, locale);

/** The page of a product, with what its link carries. */
export const offerPath = (productId: string, locale: Locale, carried: Readonly<Record<string, string>> = {}): string =>
  [inLanguage(`/buy/${productId}`, locale), String(new URLSearchParams(carried))].filter(Boolean).join('&');

/** The address where the form gets a price. */
export const quotePath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/quote`, locale);

/** Where its form pays. */
export const payPath = (sessionId: string, locale: Locale): string => inLanguage(`/checkout/${sessionId}/pay`, locale);

/** Where buyers come back to from the processor. */
export const returnPath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/return`, locale);

/** Where a buyer ends an open payment to change something. */
export const changePath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/change`, locale);

/** Where the link of an expired session opens another one. */
export const recoverPath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/recover`, locale);

/** The page of the sandbox's bank. */
export const stepPath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/step`, locale);

/** The checkout page of the session in a request's path; undefined if the path names none. */
export function checkoutPathIn(path: string, locale: Locale): string | undefined {
  const [, sessionId] = /^\/checkout\/([\w-]{1,100})(?:\/(?:quote|pay|return|change|step|recover))?$/.exec(path) ?? [];
  return sessionId && checkoutPath(sessionId, locale);
}
