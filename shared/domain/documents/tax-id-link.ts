import { createHmac, timingSafeEqual } from 'node:crypto';
import { dayMs } from '../duration.ts';
import type { Payment } from '../payments/payment.ts';

/** How long a buyer can add a tax id to an invoice. */
const linkDays = 30;

/**
 * Makes the token of a link with which a buyer can add a tax id to the invoice of one payment for thirty days. It
 * allows nothing else. Only this stack can make it, because it is signed.
 */
export function taxIdToken(paymentId: string, now: Date, secret: string): string {
  const until = Math.floor((now.getTime() + linkDays * dayMs) / 1_000).toString(36);
  return `${until}.${sign(paymentId, until, secret)}`;
}

/**
 * Whether a tax id can still be added to the invoice of a payment. It can be added once, while a part is not refunded,
 * and until the data is erased.
 */
export const takesTaxId = ({ status, correction, refundable, erasedAt }: Payment): boolean =>
  status === 'succeeded' && !correction && refundable > 0 && erasedAt === undefined;

/** The path of the page where a buyer can add a tax id to the invoice of a payment, for thirty days. */
export const taxIdPath = (paymentId: string, now: Date, secret: string): string =>
  `/invoices/payments/${paymentId}/tax-id?token=${taxIdToken(paymentId, now, secret)}`;

/**
 * Whether a token was made for this payment and has not expired. It can be used only once, which the state of the
 * payment ensures.
 */
export function isTaxIdToken(
  token: string,
  paymentId: string,
  { now, secret }: { now: Date; secret: string },
): boolean {
  const [until = '', signature = ''] = token.split('.');
  const [presented, expected] = [Buffer.from(signature), Buffer.from(sign(paymentId, until, secret))];
  const isOurs = presented.length === expected.length && timingSafeEqual(presented, expected);
  return isOurs && now.getTime() / 1_000 < Number.parseInt(until, 36);
}

const sign = (paymentId: string, until: string, secret: string): string =>
  createHmac('sha256', secret).update(`tax-id ${paymentId} ${until}`).digest('base64url');
