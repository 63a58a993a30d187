import type * as z from 'zod';
import {
  kindSumOf,
  matchingOf,
  type Payout,
  type PayoutPart,
  type PayoutRow,
  partsOf,
} from '../../domain/payouts/payout.ts';
import type { Site } from '../../domain/site.ts';
import { payoutConstants } from '../constants.ts';
import type { PayoutAnswer, PayoutOfSale, StatusWords } from './payout-answer.ts';

const words: StatusWords = {
  pending: 'not_initiated',
  in_transit: 'in_progress',
  paid: 'success',
  failed: 'failed',
  canceled: 'failed',
};

export const presentPayout =
  (site: Site) =>
  (payout: PayoutRow): PayoutAnswer<'Payout'> => {
    const taken = (kind: 'refund' | 'refund_returned' | 'dispute') =>
      payout.read.isComplete ? kindSumOf(payout, kind).amount : 0;
    return {
      payout_id: payout.id,
      business_id: site.businessId,
      amount: payout.amount,
      currency: payout.currency,
      status: words[payout.status],
      created_at: payout.createdAt,
      updated_at: payout.updatedAt,
      payment_method: payout.destination,
      refunds: 0 - taken('refund') - taken('refund_returned'),
      chargebacks: 0 - taken('dispute'),
      remarks: payout.failure,
      ...payoutConstants,
      processor: payout.processor,
      arrives_on: payout.arrivesOn,
      matching: matchingOf(payout),
    };
  };

const eventTypes: Readonly<Record<PayoutPart, PayoutAnswer<'PayoutBreakupItem'>['event_type']>> = {
  sale: 'payment',
  refund: 'refund',
  refund_returned: 'refund_reversal',
  dispute: 'dispute',
  fees: 'payment_fees',
  other_sale: 'other_payment',
  processor_fee: 'processor_fees',
  payout_returned: 'payout_returned',
  reserve: 'reserve',
  other: 'other',
  unexplained: 'unattributed',
};

export const presentBreakup = (payout: Payout): PayoutAnswer<'PayoutBreakup'> =>
  partsOf(payout).map(({ part, total }) => ({ event_type: eventTypes[part], total }));

/** Where the money of a payment is. */
export const presentPayoutOfSale = ({ id, status, arrivesOn }: Payout): z.input<typeof PayoutOfSale> => ({
  payout_id: id,
  status: words[status],
  arrives_on: arrivesOn,
});
