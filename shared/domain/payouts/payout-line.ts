import * as z from 'zod';

/**
 * What a line of a payout is. The first four are about our own sales. The others stand apart, so that all lines
 * together are the payout: other sales of the account, the processor's own fees, earlier payouts that came back,
 * reserves, and everything else.
 */
export const payoutLineKinds = [
  'sale',
  'refund',
  'refund_returned',
  'dispute',
  'other_sale',
  'processor_fee',
  'payout_returned',
  'reserve',
  'other',
] as const;
export type PayoutLineKind = (typeof payoutLineKinds)[number];

const ownKinds: readonly PayoutLineKind[] = ['sale', 'refund', 'refund_returned', 'dispute'];

/** Whether a line is about one of our own sales. */
export const isOwnKind = (kind: PayoutLineKind): boolean => ownKinds.includes(kind);

/** An entry of the account's balance that a payout contains. Its net is `amount` less `fee`. */
export const PayoutLine = z.object({
  /** The processor's id of the entry. */
  id: z.string(),
  kind: z.enum(payoutLineKinds),
  /** The processor's own word for it. */
  type: z.string(),
  /** In the payout's currency; negative if it lowers the payout. */
  amount: z.int(),
  fee: z.int(),
  /** Our payment; null if it is not about a sale of ours. */
  paymentId: z.string().nullable(),
  refundId: z.string().nullable(),
  disputeId: z.string().nullable(),
  /** The processor's id of the charge, refund or dispute. */
  reference: z.string().nullable(),
  /** The amount in the currency of the sale, if that is another one, with the processor's exchange rate. */
  original: z.object({ amount: z.int(), currency: z.string(), rate: z.string().nullable() }).nullable(),
  /** The processor's words about an entry that is no sale. */
  note: z.string().nullable(),
  createdAt: z.string(),
});
export type PayoutLine = z.infer<typeof PayoutLine>;

/** What a line adds to the payout. */
export const netOf = ({ amount, fee }: Pick<PayoutLine, 'amount' | 'fee'>): number => amount - fee;
