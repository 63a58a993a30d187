import { createHash } from 'node:crypto';
import type { BuyingPlace } from '../domain/discounts/buyer-uses.ts';
import { opens } from '../domain/documents/document-access.ts';
import { daySeconds } from '../domain/duration.ts';
import { orderPath } from '../domain/orders/order-link.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { PageRequest } from './page.ts';

type Paid = Pick<Payment, 'id' | 'sessionId' | 'documentSecret'>;

const name = 'buyer';
const lifetimeSeconds = 30 * daySeconds;

/** The name of the cookie for the document pages. It proves that the browser has paid. */
export const documentCookieName = (paymentId: string): string => `${name}_${paymentId}`;

/**
 * Makes the cookies of the browser that paid. Other browsers may know the address of its session or the id of its
 * payment, but do not have these cookies. They contain the secret of the payment's documents. One cookie is for the
 * session's pages, the other for its documents.
 */
export function buyerCookies({ id, sessionId, documentSecret }: Paid, publicUrl: string): string[] {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const cookie = (named: string, value: string, path: string) =>
    `${named}=${value}; Path=${path}; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Lax${secure}`;
  return [
    cookie(name, `${id}.${documentSecret}`, `/checkout/${sessionId}`),
    cookie(documentCookieName(id), documentSecret, '/invoices'),
  ];
}

const orderCookieName = 'order';

/**
 * Stores the secret of an order page in the browser, only for that page. So the address of the page does not need the
 * secret.
 */
export function orderCookie(paymentId: string, secret: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${orderCookieName}=${secret}; Path=${orderPath(paymentId)}; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The secret for the requested order page, from the browser's cookie. */
export const orderCookieOf = ({ cookie }: Asking): string | undefined => cookie(orderCookieName);

type Asking = Pick<PageRequest, 'cookie'>;

const browserName = 'browser';

/**
 * Gives a browser a random name. It is the same in all checkouts until the browser is closed. The name opens nothing.
 */
export const browserCookie = (random: string, publicUrl: string): string =>
  `${browserName}=${random}; Path=/checkout; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;

export const hasBrowserName = ({ cookie }: Asking): boolean => cookie(browserName) !== undefined;

const digestLength = 10;
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, digestLength);

/** The browser and network of a request, to count open payments. Only hashes are stored. */
export function buyingPlaceOf({ cookie, source }: Pick<PageRequest, 'cookie' | 'source'>): BuyingPlace {
  const browser = cookie(browserName);
  return { browser: browser ? digestOf(browser) : null, network: source === '' ? null : digestOf(source) };
}

/**
 * A digest of the random key that the page sends with a press on Pay, and again when it repeats the request. Only the
 * page knows the key, so it proves the same browser. Undefined without a key.
 */
export function pressOf({ headers }: Pick<PageRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'] ?? '';
  return key.length >= 20 && key.length <= 255 ? createHash('sha256').update(key).digest('base64url') : undefined;
}

/** The payment id in this browser's cookie; undefined if it has no valid one. */
export const boughtPaymentId = ({ cookie }: Asking): string | undefined =>
  /^(pay_\w{21})(?:\.|$)/.exec(cookie(name) ?? '')?.[1];

/**
 * Whether this browser has proved with the secret that it paid. Then it may see what the buyer entered. The id of a
 * payment is no proof.
 */
export const isBuyer = ({ cookie }: Asking, { id, documentSecret }: Pick<Paid, 'id' | 'documentSecret'>): boolean =>
  opens([cookie(name)], [`${id}.${documentSecret}`]);
