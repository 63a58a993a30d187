import { expiredSession } from '../../domain/checkout/expired-checkout.ts';
import { totalWithCodes } from '../../domain/discounts/total-with-codes.ts';
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
    const expiry = { session: expired, total: totalWithCodes(expired) };
    const event = recordExpiryEvent(expiry, { id: deps.newId('evt'), now: now.toISOString() });
    await deps.expiries.saveExpired(expired, event);
  });
}
