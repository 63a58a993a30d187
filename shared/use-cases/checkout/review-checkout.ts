import { withQuantities } from '../../domain/catalogue/adjustable-quantity.ts';
import type { CheckTaxId, TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { type CheckoutSession, type SessionLine, sessionStatus } from '../../domain/checkout/checkout-session.ts';
import type { PricedSession } from '../../domain/checkout/priced-session.ts';
import type { CheckoutDraft } from '../../domain/checkout/submission.ts';
import { DomainError } from '../../domain/errors.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { placeOf } from './pay-checkout.ts';
import {
  linesAt,
  mayChangeBeforeExpiry,
  priceSession,
  quotedPlace,
  type ReadCheckout,
  shownAt,
} from './price-session.ts';

export interface ReviewCheckoutDeps {
  sessions: Pick<SessionStore, 'save'>;
  checkTaxId: CheckTaxId;
  now: () => Date;
}

export interface CheckoutReview {
  session: CheckoutSession;
  status: CheckoutSession['status'];
  /** The prices; null while something is missing or wrong. */
  priced: PricedSession | null;
  taxId: TaxIdCheck | null;
  /** Whether tax is charged only because no register has confirmed the tax id yet. */
  isDoubtCharged: boolean;
  /** Why there is no price yet. */
  problem: DomainError | null;
  /** The lines for the buyer's place. Absent if the place is unknown, or the lines are the same everywhere. */
  lines?: readonly SessionLine[] | undefined;
}

/**
 * Prices a session with what is known about the buyer. If the shown rates could change before the session expires, an
 * open session stores a note of them.
 */
export async function reviewCheckout(
  deps: ReviewCheckoutDeps,
  { session, settings }: ReadCheckout,
  draft: CheckoutDraft,
): Promise<CheckoutReview> {
  const now = deps.now();
  const status = sessionStatus(session, now);
  const nothing = { session, status, priced: null, taxId: null, isDoubtCharged: false, problem: null };
  if (status !== 'open' || !draft.billing) return nothing;
  let lines: CheckoutReview['lines'];
  try {
    const place = placeOf(draft.billing);
    const taxId = draft.taxId ? await deps.checkTaxId(draft.taxId, place.country, session.provenTaxId) : null;
    const pricing = { place, taxId, settings, now };
    const ordered = { ...session, lines: withQuantities(session.lines, draft.quantities) };
    lines = linesAt(ordered, pricing);
    const priced = priceSession(ordered, draft.amounts, pricing);
    const shown = { at: shownAt(session, pricing), place: quotedPlace(place, taxId) };
    await keep(deps, session, {
      quoted: mayChangeBeforeExpiry(ordered, draft.amounts, pricing) ? shown : null,
      proven: taxId?.status === 'valid' ? taxId : undefined,
    });
    const isDoubtCharged = priced.quote.tax > taxIfProven(ordered, draft, pricing);
    return { ...nothing, priced, taxId, isDoubtCharged, lines };
  } catch (problem) {
    if (problem instanceof DomainError) return { ...nothing, lines, problem };
    throw problem;
  }
}

/**
 * The tax that would be charged if a register confirmed the id. If the id does not wait for a register, the result is
 * infinite, so the charged tax is never higher.
 */
function taxIfProven(
  session: CheckoutSession,
  { amounts }: CheckoutDraft,
  pricing: Parameters<typeof priceSession>[2],
): number {
  const { taxId } = pricing;
  if (taxId?.status !== 'unverified') return Number.POSITIVE_INFINITY;
  return priceSession(session, amounts, { ...pricing, taxId: { ...taxId, status: 'valid' } }).quote.tax;
}

interface Kept {
  /**
   * The place and time of the shown rates. They are noted only if the rates could change before the session expires.
   */
  quoted: CheckoutSession['quoted'];
  /** The tax id that its register has confirmed. */
  proven: TaxIdCheck | undefined;
}

/**
 * Stores the quote and the confirmed tax id in the session. If two pages are shown at the same time, only the first one
 * stores its data.
 */
async function keep(deps: ReviewCheckoutDeps, session: CheckoutSession, { quoted, proven }: Kept): Promise<void> {
  const noted = {
    ...session,
    ...(quoted && session.quoted?.place !== quoted.place ? { quoted } : {}),
    ...(proven && proven !== session.provenTaxId ? { provenTaxId: proven } : {}),
  };
  if (noted.quoted === session.quoted && noted.provenTaxId === session.provenTaxId) return;
  await deps.sessions.save(noted).catch((error) => {
    if (!(error instanceof StaleVersion)) throw error;
  });
}
