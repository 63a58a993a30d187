import * as z from 'zod';
import type { Payment } from '../payments/payment.ts';

/** Where a payment was begun: hashes of the browser and its network. A program without cookies is known by its network only. */
export interface BuyingPlace {
  browser: string | null;
  network: string | null;
}

/** How often a customer has used a code: paid uses, and payments whose end is looked up when it matters. */
export const BuyerUses = z.object({
  discountId: z.string(),
  customerId: z.string(),
  /** Paid uses that are not named below. */
  paid: z.int(),
  begun: z.array(z.object({ paymentId: z.string(), browser: z.string().nullable() })),
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type BuyerUses = z.infer<typeof BuyerUses>;

/** What became of a payment; undefined: it was never written. */
export type KnownPayment = Pick<Payment, 'status' | 'late'> | undefined;

/** A stranger may begin many payments under an address: the oldest names are dropped. */
const mostBegun = 100;

const isPaid = (payment: KnownPayment): boolean => payment?.status === 'succeeded' && !payment.late?.isReturned;

/** The same uses, without the names of payments that have ended. */
export function withoutEnded(uses: BuyerUses, payments: ReadonlyMap<string, KnownPayment>): BuyerUses {
  const paid = uses.begun.filter(({ paymentId }) => isPaid(payments.get(paymentId))).length;
  const begun = uses.begun.filter(({ paymentId }) => payments.get(paymentId)?.status === 'processing');
  return { ...uses, paid: uses.paid + paid, begun: begun.slice(1 - mostBegun) };
}

/** The same uses with one more payment that begins. */
export const withBegun = (uses: BuyerUses, paymentId: string, browser: string | null): BuyerUses => ({
  ...uses,
  begun: [...uses.begun.filter((one) => one.paymentId !== paymentId), { paymentId, browser }],
});

/**
 * The uses that count against a customer's limit: paid ones, and open payments of the same browser. Others may write the customer's
 * address into a form, so their open payments do not count.
 */
export const countedUses = ({ paid, begun }: BuyerUses, paymentId: string, browser: string | null): number =>
  paid + begun.filter((one) => one.paymentId !== paymentId && browser !== null && one.browser === browser).length;
