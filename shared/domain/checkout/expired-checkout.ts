import { dayMs } from '../duration.ts';
import { assertPayable, type CheckoutSession, hasItsPayment, sessionStatus } from './checkout-session.ts';

/** A session that expired unpaid, with the data of its event. */
export interface ExpiredCheckout {
  session: CheckoutSession;
  /** The total, if it is the same in every place; null if it depends on the buyer or their place. */
  total: number | null;
}

/**
 * The buyer's address: from the latest attempt to pay, else from the integrator. Undefined if none is known, or it
 * was erased.
 */
export const knownEmail = ({ payer, customer }: Pick<CheckoutSession, 'payer' | 'customer'>): string | undefined =>
  payer?.email || customer.email || undefined;

/** Whether the session's expiry will be announced: it is open, not being paid, and its buyer's address is known. */
export const awaitsExpiry = (session: CheckoutSession): boolean =>
  session.announcesExpiry === true &&
  session.status === 'open' &&
  !hasItsPayment(session) &&
  knownEmail(session) !== undefined;

/** The expired session to commit with its event; undefined if there is nothing to announce at this instant. */
export const expiredSession = (session: CheckoutSession, now: Date): CheckoutSession | undefined =>
  awaitsExpiry(session) && sessionStatus(session, now) === 'expired' ? { ...session, status: 'expired' } : undefined;

/**
 * The session, expired early at the merchant's request. Its link then recovers nothing. Undefined if it has already
 * expired. Refuses a session that is paid or being paid.
 */
export function endedSession(session: CheckoutSession, now: Date): CheckoutSession | undefined {
  if (sessionStatus(session, now) === 'expired') return undefined;
  if (hasItsPayment(session)) assertPayable(session, now);
  return { ...session, status: 'expired', expiresAt: now.toISOString(), announcesExpiry: false };
}

const recoverableDays = 30;

/**
 * The time until which the recovery link of an expired session can open a new session. Null if it never can: the stack
 * announces no expiry, or the merchant ended the session.
 */
export const recoverableUntil = ({
  announcesExpiry,
  expiresAt,
}: Pick<CheckoutSession, 'announcesExpiry' | 'expiresAt'>): string | null =>
  announcesExpiry ? new Date(Date.parse(expiresAt) + recoverableDays * dayMs).toISOString() : null;

/** Whether the recovery link can open a new session now. */
export const isRecoverable = (session: CheckoutSession, now: Date): boolean =>
  session.status === 'expired' && now.toISOString() < (recoverableUntil(session) ?? '');
