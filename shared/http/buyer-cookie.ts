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

/** The name of the cookie that proves on document pages that the browser has paid. */
export const documentCookieName = (paymentId: string): string => `${name}_${paymentId}`;

/**
 * Makes the cookies by which the browser that paid differs from others that know the address of its session, or the
 * id of its payment. They contain the secret of the payment's documents, which is in neither. One cookie is for the
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

/** Keeps the secret of an order page in the browser, for that page alone, so its address can be without the secret. */
export function orderCookie(paymentId: string, secret: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${orderCookieName}=${secret}; Path=${orderPath(paymentId)}; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The secret in this browser's cookie for the order page that it asks for. */
export const orderCookieOf = ({ cookie }: Asking): string | undefined => cookie(orderCookieName);

type Asking = Pick<PageRequest, 'cookie'>;

const browserName = 'browser';

/**
 * Gives a browser a random name, which is the same in all checkouts until the browser is closed. The name gives
 * access to nothing.
 */
export const browserCookie = (random: string, publicUrl: string): string =>
  `${browserName}=${random}; Path=/checkout; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;

export const hasBrowserName = ({ cookie }: Asking): boolean => cookie(browserName) !== undefined;

const digestLength = 10;
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, digestLength);

/** The browser and network of a request, used to count open payments. Only hashes are stored. */
export function buyingPlaceOf({ cookie, source }: Pick<PageRequest, 'cookie' | 'source'>): BuyingPlace {
  const browser = cookie(browserName);
  return { browser: browser ? digestOf(browser) : null, network: source === '' ? null : digestOf(source) };
}

/** The payment id in this browser's cookie; undefined if it has no valid one. */
export const boughtPaymentId = ({ cookie }: Asking): string | undefined =>
  /^(pay_\w{21})(?:\.|$)/.exec(cookie(name) ?? '')?.[1];

/**
 * Whether this browser has proved by a secret that it paid, so it may see what the buyer entered. Knowing a payment's
 * id is not enough.
 */
export const isBuyer = ({ cookie }: Asking, { id, documentSecret }: Pick<Paid, 'id' | 'documentSecret'>): boolean =>
  opens([cookie(name)], [`${id}.${documentSecret}`]);
