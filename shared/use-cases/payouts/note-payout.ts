import { notedPayout, type PayoutState } from '../../domain/payouts/payout.ts';
import type { PayoutStore } from '../../store/payouts/payout-store.ts';
import { retryStale } from '../retry.ts';

export interface NotePayoutDeps {
  payouts: Pick<PayoutStore, 'find' | 'save'>;
  /** The processor's name. */
  processor: string;
  now: () => Date;
}

/** Stores what the processor says about a payout, if it is news. A failure can come days after the payout was paid. */
export function notePayout({ payouts, processor, now }: NotePayoutDeps, state: PayoutState): Promise<void> {
  return retryStale(async () => {
    const noted = notedPayout(await payouts.find(state.id), state, { processor, now: now().toISOString() });
    if (noted) await payouts.save(noted);
  });
}
