import { StaleVersion } from '../../domain/idempotency.ts';
import { notedPayout, type PayoutState } from '../../domain/payouts/payout.ts';
import type { Payouts } from '../../outside/processor/payment-processor.ts';
import type { PayoutStore } from '../../store/payouts/payout-store.ts';
import { retryStale } from '../retry.ts';

export interface NotePayoutDeps {
  payouts: Pick<PayoutStore, 'find' | 'save'>;
  account: Pick<Payouts, 'payout'>;
  /** The processor's name. */
  processor: string;
  now: () => Date;
}

/**
 * Stores what the processor says about a payout, if it is news. A failure can come days after the payout was paid. The
 * row is read before the processor is asked, so an answer that was overtaken by a newer one is not stored.
 */
export function notePayout(deps: NotePayoutDeps, id: string): Promise<void> {
  return retryStale(async () => {
    const known = await deps.payouts.find(id);
    const state = await deps.account.payout(id);
    const noted = state && notedPayout(known, state, timed(deps));
    if (noted) await deps.payouts.save(noted);
  });
}

/** Stores a payout of the processor's list. The list may be older than our row, so news about a known payout is asked for. */
export async function noteListedPayout(deps: NotePayoutDeps, state: PayoutState): Promise<void> {
  const known = await deps.payouts.find(state.id);
  const noted = notedPayout(known, state, timed(deps));
  if (!noted) return;
  if (known) return notePayout(deps, state.id);
  await deps.payouts.save(noted).catch((error) => {
    if (!(error instanceof StaleVersion)) throw error;
    return notePayout(deps, state.id);
  });
}

const timed = ({ processor, now }: NotePayoutDeps) => ({ processor, now: now().toISOString() });
