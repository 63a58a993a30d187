import { inLanguage, type Locale } from '../pages/locale.ts';

/** The page of a session. */
export const checkoutPath = (sessionId: string, locale: Locale): string => inLanguage(`/checkout/${sessionId}`, locale);

/** The page of a product, with the parameters of its link. */
export const offerPath = (productId: string, locale: Locale, carried: Readonly<Record<string, string>> = {}): string =>
  [inLanguage(`/buy/${productId}`, locale), String(new URLSearchParams(carried))].filter(Boolean).join('&');

/** The address that prices the form. */
export const quotePath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/quote`, locale);

/** The address to which the form is posted to pay. */
export const payPath = (sessionId: string, locale: Locale): string => inLanguage(`/checkout/${sessionId}/pay`, locale);

/** The page to which the processor sends buyers back. */
export const returnPath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/return`, locale);

/** The address that ends an open payment, so that the buyer can change the order. */
export const changePath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/change`, locale);

/** The address behind the link of an expired session. It opens a new session. */
export const recoverPath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/recover`, locale);

/** The page of the sandbox's fake bank. */
export const stepPath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/step`, locale);
