import { inLanguage, type Locale } from '../pages/locale.ts';

/** The path of a session's page. */
export const checkoutPath = (sessionId: string, locale: Locale): string => inLanguage(`/checkout/${sessionId}`, locale);

/** The path of a product's page, with the parameters of its link. */
export const offerPath = (productId: string, locale: Locale, carried: Readonly<Record<string, string>> = {}): string =>
  [inLanguage(`/buy/${productId}`, locale), String(new URLSearchParams(carried))].filter(Boolean).join('&');

/** The path that computes the price for the form. */
export const quotePath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/quote`, locale);

/** The path to which the form is posted to pay. */
export const payPath = (sessionId: string, locale: Locale): string => inLanguage(`/checkout/${sessionId}/pay`, locale);

/** The path of the page to which the processor sends buyers back. */
export const returnPath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/return`, locale);

/** The path that ends an open payment, so that the buyer can change the order. */
export const changePath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/change`, locale);

/** The path of the recovery link of an expired session. Its page opens a new session. */
export const recoverPath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/recover`, locale);

/** The path of the page that plays the buyer's bank in a sandbox. */
export const stepPath = (sessionId: string, locale: Locale): string =>
  inLanguage(`/checkout/${sessionId}/step`, locale);
