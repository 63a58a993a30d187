import { createHash } from 'node:crypto';
import type { BuyingPlace } from '../domain/discounts/buyer-uses.ts';
import { opens } from '../domain/documents/document-access.ts';
import { daySeconds } from '../domain/duration.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { PageRequest } from './page.ts';

type Paid = Pick<Payment, 'id' | 'sessionId' | 'documentSecret'>;

const name = 'buyer';
const lifetimeSeconds = 30 * daySeconds;

/** Under which name a browser shows that it has paid, where documents are. */
export const documentCookieName = (paymentId: string): string => `${name}_${paymentId}`;

/**
 * Lets the browser that paid be known from others that have the address of its session, or the id of its payment: by the secret of
 * the payment's documents, which is in neither. One cookie is for the session's pages, the other for its documents.
 */
export function buyerCookies({ id, sessionId, documentSecret }: Paid, publicUrl: string): string[] {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const cookie = (named: string, value: string, path: string) =>
    `${named}=${value}; Path=${path}; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Lax${secure}`;
  if (!documentSecret) return [];
  return [
    cookie(name, `${id}.${documentSecret}`, `/checkout/${sessionId}`),
    cookie(documentCookieName(id), documentSecret, '/invoices'),
  ];
}

type Asking = Pick<PageRequest, 'cookie'>;

const browserName = 'browser';

/** Gives a browser a random name, by which it is known in all checkouts until it is closed. It opens nothing. */
export const browserCookie = (random: string, publicUrl: string): string =>
  `${browserName}=${random}; Path=/checkout; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;

export const hasBrowserName = ({ cookie }: Asking): boolean => cookie(browserName) !== undefined;

const digestLength = 10;
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, digestLength);

/** Where a request comes from, to count open payments by. Only hashes are kept. */
export function buyingPlaceOf({ cookie, source }: Pick<PageRequest, 'cookie' | 'source'>): BuyingPlace {
  const browser = cookie(browserName);
  return { browser: browser ? digestOf(browser) : null, network: source === '' ? null : digestOf(source) };
}

/** The payment id in this browser's cookie; undefined if it has no valid one. */
export const boughtPaymentId = ({ cookie }: Asking): string | undefined =>
  /^(pay_\w{21})(?:\.|$)/.exec(cookie(name) ?? '')?.[1];

/** Whether this browser has paid. In version 0.1, the cookie has only the payment's id. */
export const isBuyer = ({ cookie }: Asking, { id, documentSecret }: Pick<Paid, 'id' | 'documentSecret'>): boolean =>
  opens([cookie(name)], [documentSecret ? `${id}.${documentSecret}` : id]);

/** Whether it has proved that by a secret, so that it may see what the buyer entered. Others can know a payment's id. */
export const hasProvedToBeBuyer = (request: Asking, paid: Pick<Paid, 'id' | 'documentSecret'>): boolean =>
  Boolean(paid.documentSecret) && isBuyer(request, paid);
