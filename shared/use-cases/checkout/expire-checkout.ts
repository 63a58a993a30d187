import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import { awaitsExpiry, endedSession, expiredSession } from '../../domain/checkout/expired-checkout.ts';
import { totalWithCodes } from '../../domain/discounts/total-with-codes.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { recordExpiryEvent } from '../../events/catalogue.ts';
import type { ExpiryStore } from '../../store/payments/expiry-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { retryStale } from '../retry.ts';

export interface ExpireCheckoutDeps {
  sessions: Pick<SessionStore, 'find'>;
  expiries: ExpiryStore;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/**
 * Commits that a session has expired unpaid, together with its event, only once. If a payment begins at the same time,
 * only one of the two writes succeeds. Either the session is being paid and no event is sent, or it has expired and
 * cannot be paid.
 */
export async function expireCheckout(deps: ExpireCheckoutDeps, id: string): Promise<void> {
  await retryStale(async () => {
    const session = await deps.sessions.find(id);
    const now = deps.now();
    const expired = session && expiredSession(session, now);
    if (!expired) return;
    await deps.expiries.saveExpired(expired, eventOf(deps, expired, now));
  });
}

const eventOf = ({ newId }: Pick<ExpireCheckoutDeps, 'newId'>, session: CheckoutSession, now: Date) =>
  recordExpiryEvent({ session, total: totalWithCodes(session) }, { id: newId('evt'), now: now.toISOString() });

export interface EndCheckoutDeps extends Omit<ExpireCheckoutDeps, 'sessions'> {
  sessions: Pick<SessionStore, 'get'>;
}

/**
 * Expires a session at the merchant's request, with the same event as at its normal expiry. A session that has already
 * expired does not change. If a payment begins at the same time, only one of the two writes succeeds.
 */
export const endCheckout = (
  deps: EndCheckoutDeps,
  id: string,
  claim: Claim<CheckoutSession>,
): Promise<CheckoutSession> =>
  retryStale(async () => {
    const session = await deps.sessions.get(id);
    const now = deps.now();
    const ended = endedSession(session, now);
    if (!ended) return session;
    const event = awaitsExpiry(session) ? eventOf(deps, ended, now) : undefined;
    await deps.expiries.saveExpired(ended, event, claim(ended, null));
    return ended;
  });
