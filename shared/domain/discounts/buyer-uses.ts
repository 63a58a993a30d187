import * as z from 'zod';
import type { Payment } from '../payments/payment.ts';

/**
 * Where a payment was started, as hashes of the browser and its network. A client without cookies is known only by its
 * network.
 */
export interface BuyingPlace {
  browser: string | null;
  network: string | null;
}

/**
 * How often a customer has used a code. It has a number of paid uses, and a list of payments whose current state must
 * be looked up.
 */
export const BuyerUses = z.object({
  discountId: z.string(),
  customerId: z.string(),
  /** The number of paid uses that are not in the list below. */
  paid: z.int(),
  /** The payments that were started. Rows store them under this name. */
  begun: z.array(z.object({ paymentId: z.string(), browser: z.string().nullable() })),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type BuyerUses = z.infer<typeof BuyerUses>;

/** The current state of a payment; undefined if it was never written. */
export type KnownPayment = Pick<Payment, 'status' | 'late'> | undefined;

/**
 * The most payments in the list. A stranger may begin many payments with the customer's address, so the oldest are
 * dropped.
 */
const mostStarted = 100;

const isPaid = (payment: KnownPayment): boolean => payment?.status === 'succeeded' && !payment.late?.isReturned;

/** The uses without the payments that have ended. Those that were paid are added to the number of paid uses. */
export function withoutEnded(uses: BuyerUses, payments: ReadonlyMap<string, KnownPayment>): BuyerUses {
  const paid = uses.begun.filter(({ paymentId }) => isPaid(payments.get(paymentId))).length;
  const started = uses.begun.filter(({ paymentId }) => payments.get(paymentId)?.status === 'processing');
  return { ...uses, paid: uses.paid + paid, begun: started.slice(1 - mostStarted) };
}

/** The uses with one more payment that was just started. */
export const withStarted = (uses: BuyerUses, paymentId: string, browser: string | null): BuyerUses => ({
  ...uses,
  begun: [...uses.begun.filter((one) => one.paymentId !== paymentId), { paymentId, browser }],
});

/**
 * The uses that count against a customer's limit: paid ones, and open payments of the same browser. Open payments of
 * other browsers do not count, because anyone can enter the customer's address.
 */
export const countedUses = ({ paid, begun }: BuyerUses, paymentId: string, browser: string | null): number =>
  paid + begun.filter((one) => one.paymentId !== paymentId && browser !== null && one.browser === browser).length;
