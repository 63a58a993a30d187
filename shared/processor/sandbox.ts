import { DomainError } from '../domain/errors.ts';
import type { Card, ChargeOutcome } from '../domain/payments/payment.ts';
import type { Processor, RefundOutcome } from './processor.ts';

interface TestCard {
  number: string;
  /** What the page says of it. */
  label: string;
  charge: ChargeOutcome['status'];
  /** What a processing charge ends with. */
  ends?: 'succeeded' | 'failed';
  errorCode?: string;
  errorMessage?: string;
  refund?: RefundOutcome;
  /** What a pending refund ends with. */
  refundEnds?: 'succeeded' | 'failed';
}

/** The outcomes that a buyer in the sandbox can choose from; nothing is ever typed. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', label: 'succeeds', charge: 'succeeded' },
  {
    number: '4000000000000002',
    label: 'is declined',
    charge: 'failed',
    errorCode: 'GENERIC_DECLINE',
    errorMessage: 'The card was declined.',
  },
  {
    number: '4000000000009995',
    label: 'has insufficient funds',
    charge: 'failed',
    errorCode: 'INSUFFICIENT_FUNDS',
    errorMessage: 'The card has insufficient funds.',
  },
  {
    number: '4000000000000119',
    label: 'meets a processing error',
    charge: 'failed',
    errorCode: 'PROCESSING_ERROR',
    errorMessage: 'The card could not be processed.',
  },
  { number: '4000000000003220', label: 'takes a while, then succeeds', charge: 'processing', ends: 'succeeded' },
  {
    number: '4000000000003238',
    label: 'takes a while, then is declined',
    charge: 'processing',
    ends: 'failed',
    errorCode: 'GENERIC_DECLINE',
    errorMessage: 'The card was declined.',
  },
  {
    number: '4000000000000341',
    label: 'succeeds, its refunds fail',
    charge: 'succeeded',
    refund: 'pending',
    refundEnds: 'failed',
  },
  {
    number: '4000000000007726',
    label: 'succeeds, its refunds take a while',
    charge: 'succeeded',
    refund: 'pending',
    refundEnds: 'succeeded',
  },
  { number: '4000000000005126', label: 'succeeds, its refunds stay pending', charge: 'succeeded', refund: 'pending' },
];

const byLastFour = new Map(testCards.map((card) => [card.number.slice(-4), card]));

const cardOf = (number: string): Card => ({ lastFour: number.slice(-4), network: 'VISA', country: null });

function outcome(card: TestCard, status: ChargeOutcome['status']): ChargeOutcome {
  const failed = status === 'failed';
  const errorCode = failed ? (card.errorCode ?? 'GENERIC_DECLINE') : null;
  return { status, card: cardOf(card.number), errorCode, errorMessage: failed ? (card.errorMessage ?? null) : null };
}

/** Moves no money: the chosen test card decides, the same way every time. */
export const sandboxProcessor: Processor = {
  name: 'sandbox',
  isRemote: false,
  charge: async ({ card: number }) => {
    const card = testCards.find((candidate) => candidate.number === number);
    if (!card)
      throw new DomainError('INVALID_REQUEST_PARAMETERS', 'Choose one of the test cards.', {
        faults: [{ path: 'card', message: 'Choose one of the test cards.' }],
      });
    return outcome(card, card.charge);
  },
  refund: async ({ card }) => byLastFour.get(card.lastFour)?.refund ?? 'succeeded',
  findCharge: async ({ card: known }) => {
    const card = known && byLastFour.get(known.lastFour);
    return card
      ? outcome(card, card.ends ?? card.charge)
      : { status: 'processing', card: null, errorCode: null, errorMessage: null };
  },
  findRefund: async ({ card }) => byLastFour.get(card.lastFour)?.refundEnds ?? 'pending',
};
