import type { Disputes, FoundDispute, PaidCharge } from '../payment-processor.ts';
import { testCards } from './sandbox-cards.ts';

/** When the fake bank decides the dispute of a test card. */
const decidedAfterMs = 5 * 60_000;

const outcomes = new Map(testCards.flatMap(({ number, dispute }) => (dispute ? [[number.slice(-4), dispute]] : [])));

/** The reference of a dispute. It contains all data of the dispute, so every process gives the same answer. */
const referenceOf = ({ paymentId, reference, amount, currency, createdAt }: PaidCharge): string =>
  ['du', paymentId, reference.slice(0, 4), amount, currency, Date.parse(createdAt).toString(36)].join('.');

interface OpenDispute {
  paymentId: string;
  amount: number;
  currency: string;
  openedAt: number;
  decidesWithinMs: number;
}

/** The reference of a dispute that the buyer wins. The time of the decision can be chosen. */
export const sandboxDisputeReference = ({ paymentId, amount, currency, openedAt, decidesWithinMs }: OpenDispute) =>
  ['du', paymentId, '0259', amount, currency, openedAt.toString(36), decidesWithinMs.toString(36)].join('.');

/** Disputes of test cards. Each opens with its payment and is decided five minutes later. */
export const sandboxDisputes = (now: () => Date): Disputes => ({
  findDispute: async (reference) => stateOf(reference, now()),
  disputesOf: async (charge) => {
    const found = stateOf(referenceOf(charge), now());
    return found ? [found] : [];
  },
});

function stateOf(reference: string, now: Date): FoundDispute | undefined {
  const [prefix, paymentId = '', lastFour = '', amount, currency = '', opened = '', within] = reference.split('.');
  const outcome = outcomes.get(lastFour);
  if (prefix !== 'du' || outcome === undefined) return undefined;
  const openedAt = Number.parseInt(opened, 36);
  const decidedAt = openedAt + (within === undefined ? decidedAfterMs : Number.parseInt(within, 36));
  const status = now.getTime() < decidedAt ? 'opened' : outcome;
  return {
    paymentId,
    reference,
    amount: Number(amount),
    currency,
    status,
    stage: 'dispute',
    withdrawn: status === 'won' ? 0 : Number(amount),
    isRefundable: status === 'won',
    reason: 'fraudulent',
    dueBy: new Date(decidedAt).toISOString(),
    url: null,
    createdAt: new Date(openedAt).toISOString(),
  };
}
