import type { Processor } from './processor.ts';
import { testCards } from './sandbox-cards.ts';
import { sandboxPayments } from './sandbox-processor.ts';

const byLastFour = new Map(testCards.map((card) => [card.number.slice(-4), card]));

/** Moves no money: the chosen test card decides, the same way every time. */
export const sandboxProcessor = (now: () => Date): Processor => ({
  ...sandboxPayments({ now }),
  isRemote: false,
  refund: async ({ card }) => byLastFour.get(card.lastFour)?.refund ?? 'succeeded',
  findRefund: async ({ card }) => byLastFour.get(card.lastFour)?.refundEnds ?? 'pending',
});
