import { dayMs } from '../duration.ts';
import { type CheckoutSession, hasItsPayment, sessionStatus } from './checkout-session.ts';

/** A session that expired unpaid, as its event tells it. */
export interface ExpiredCheckout {
  session: CheckoutSession;
  /** The total that holds in any place; null if the buyer or their place would have settled it. */
  total: number | null;
}

/** The address of the buyer: of the latest attempt to pay, else as the integrator gave it. Undefined: none is known, or it was erased. */
export const knownEmail = ({ payer, customer }: Pick<CheckoutSession, 'payer' | 'customer'>): string | undefined =>
  payer?.email || customer.email || undefined;

/** Whether the session is announced if it expires as it is: it is open, not being paid, and its buyer's address is known. */
export const awaitsExpiry = (session: CheckoutSession): boolean =>
  session.announcesExpiry === true &&
  session.status === 'open' &&
  !hasItsPayment(session) &&
  knownEmail(session) !== undefined;

/** The session as it is committed with its event; undefined if there is nothing to announce at this instant. */
export const expiredSession = (session: CheckoutSession, now: Date): CheckoutSession | undefined =>
  awaitsExpiry(session) && sessionStatus(session, now) === 'expired' ? { ...session, status: 'expired' } : undefined;

const recoverableDays = 30;

/** Until when the link of an expired session opens another one. */
export const recoverableUntil = ({ expiresAt }: Pick<CheckoutSession, 'expiresAt'>): string =>
  new Date(Date.parse(expiresAt) + recoverableDays * dayMs).toISOString();

/** Whether the link of a session opens another one: its expiry was told, and that is not long ago. */
export const isRecoverable = (session: CheckoutSession, now: Date): boolean =>
  session.announcesExpiry === true && session.status === 'expired' && now.toISOString() < recoverableUntil(session);
