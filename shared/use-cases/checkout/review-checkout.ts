import type { CheckTaxId, TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { type CheckoutSession, sessionStatus } from '../../domain/checkout/checkout-session.ts';
import type { PricedSession } from '../../domain/checkout/priced-session.ts';
import type { CheckoutDraft } from '../../domain/checkout/submission.ts';
import { DomainError } from '../../domain/errors.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { placeOf } from './pay-checkout.ts';
import { mayChangeBeforeExpiry, priceSession, quotedPlace, type ReadCheckout, shownAt } from './price-session.ts';

export interface ReviewCheckoutDeps {
  sessions: Pick<SessionStore, 'save'>;
  checkTaxId: CheckTaxId;
  now: () => Date;
}

export interface CheckoutReview {
  session: CheckoutSession;
  status: CheckoutSession['status'];
  /** Null while something is missing or wrong. */
  priced: PricedSession | null;
  taxId: TaxIdCheck | null;
  /** Why there is no price yet. */
  problem: DomainError | null;
}

/** Prices a session for the known buyer. An open session keeps the rates that were shown for a place, if they could change before it expires. */
export async function reviewCheckout(
  deps: ReviewCheckoutDeps,
  { session, settings }: ReadCheckout,
  draft: CheckoutDraft,
): Promise<CheckoutReview> {
  const now = deps.now();
  const status = sessionStatus(session, now);
  const nothing = { session, status, priced: null, taxId: null, problem: null };
  if (status !== 'open' || !draft.billing) return nothing;
  try {
    const place = placeOf(draft.billing);
    const taxId = draft.taxId ? await deps.checkTaxId(draft.taxId, place.country) : null;
    const pricing = { place, taxId, settings, now };
    const priced = priceSession(session, draft.amounts, pricing);
    if (mayChangeBeforeExpiry(session, pricing))
      await keepShownRates(deps, session, { at: shownAt(session, pricing), place: quotedPlace(place, taxId) });
    return { session, status, priced, taxId, problem: null };
  } catch (problem) {
    if (problem instanceof DomainError) return { ...nothing, problem };
    throw problem;
  }
}

/** Stores the place and the time of the shown rates once. If two pages are shown at the same time, one of them wins. */
async function keepShownRates(
  deps: ReviewCheckoutDeps,
  session: CheckoutSession,
  quoted: NonNullable<CheckoutSession['quoted']>,
): Promise<void> {
  if (session.quoted?.place === quoted.place) return;
  const noted = { ...session, quoted };
  await deps.sessions.save(noted, []).catch((error) => {
    if (!(error instanceof StaleVersion)) throw error;
  });
}
