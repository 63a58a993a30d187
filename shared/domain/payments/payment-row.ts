import * as z from 'zod';
import { Metadata } from '../catalogue/product.ts';
import { chargeStatuses } from '../checkout/checkout-session.ts';
import { sum } from '../money/money.ts';
import { ownMetadata } from '../orders/stored-payment.ts';
import { chargeStatusOf } from './charge.ts';
import { DisputeStanding, disputeStandingOf } from './dispute-standing.ts';
import { disputeStatuses, Payment } from './payment.ts';

/**
 * What needs the merchant's attention. `tax_id_proven`: a correction is proposed. `tax_id_denied`: no tax was charged
 * to a business, but the register does not know its tax id.
 */
export const attentions = ['tax_id_proven', 'tax_id_denied'] as const;

/** What the merchant has to decide or know about a payment; undefined if nothing. */
export function attentionOf({ correction, taxId, lines }: Payment): (typeof attentions)[number] | undefined {
  if (correction?.status === 'proposed') return 'tax_id_proven';
  const isRelieved = lines.some(({ components }) => components.some(({ reason }) => reason === 'reverse_charge'));
  return taxId?.status === 'invalid' && isRelieved ? 'tax_id_denied' : undefined;
}

/** The short fields of a payment, which lists and searches use. */
export const PaymentBrief = Payment.pick({
  id: true,
  brandId: true,
  currency: true,
  gross: true,
  refunded: true,
  createdAt: true,
  hasOwnAddress: true,
}).extend({
  status: z.enum(chargeStatuses),
  productIds: z.array(z.string()),
  taxDate: z.string(),
  /** The checkout session; absent in rows of 0.2.0. */
  sessionId: z.string().optional(),
  /** The discounts of the codes that were redeemed; absent if none. */
  discountIds: z.array(z.string()).optional(),
  /** The status of the newest dispute; absent if there is none. */
  disputeStatus: z.enum(disputeStatuses).optional(),
  /** The state of all disputes together; absent if there are none, and in rows of 0.2.0. */
  disputeStanding: DisputeStanding.optional(),
  /** What the merchant has to decide or know; absent if nothing. */
  attention: z.enum(attentions).optional(),
  /** The country of the buyer's address; absent in rows of earlier versions. */
  country: z.string().optional(),
});
export type PaymentBrief = z.infer<typeof PaymentBrief>;

/** The fields of a listed payment that can be long. */
const PaymentRest = Payment.pick({
  customer: true,
  processor: true,
  card: true,
  method: true,
  documentSecret: true,
}).extend({ metadata: Metadata.transform(ownMetadata) });

const Disputed = Payment.pick({ disputes: true, disputed: true });
const Addressed = Payment.pick({ billing: true });

/** Whether a row does not say how much is lost to disputes. Rows of 0.2.0 do not. */
export const lacksStanding = ({ disputeStatus, disputeStanding }: PaymentBrief): boolean =>
  disputeStatus !== undefined && disputeStanding === undefined;

/** Completes a list row with the missing fields, from the data of the payment. */
export const completedRow = (row: PaymentBrief, data: unknown): PaymentRow =>
  PaymentRow.parse({
    ...row,
    ...PaymentRest.parse(data),
    disputeStanding: disputeStandingOf(Disputed.parse(data)),
    country: Addressed.parse(data).billing.country,
  });

/** The number of product names in a list row. */
export const mostNamed = 2;

export const namedProducts = (productIds: readonly string[]): readonly string[] => productIds.slice(0, mostNamed);

/** A payment in a list. */
export const PaymentRow = PaymentBrief.extend(PaymentRest.shape);
export type PaymentRow = z.infer<typeof PaymentRow>;

export const paymentRow = (payment: Payment): PaymentRow =>
  PaymentRow.parse({
    ...payment,
    status: chargeStatusOf(payment),
    productIds: payment.lines.map((line) => line.productId),
    discountIds: payment.discounts?.map(({ id }) => id),
    taxDate: payment.calculation.taxDate,
    disputeStatus: payment.disputes.at(-1)?.status,
    disputeStanding: disputeStandingOf(payment),
    attention: attentionOf(payment),
    country: payment.billing.country,
  });

/** The money of some listed payments in one currency. */
export interface RowTotals {
  currency: string;
  /** How many of the payments succeeded. */
  payments: number;
  /** What buyers paid. */
  paid: number;
  refunded: number;
  /** What is left after refunds and lost disputes. */
  left: number;
}

const lostOf = ({ disputeStanding }: Counted): number => disputeStanding?.lost ?? 0;

type Counted = Pick<PaymentRow, 'status' | 'currency' | 'gross' | 'refunded' | 'disputeStanding'>;

/** The totals of the payments that succeeded, by currency, in the order in which the currencies occur. */
export function totalsByCurrency(rows: readonly Counted[]): RowTotals[] {
  const succeeded = rows.filter(({ status }) => status === 'succeeded');
  return [...Map.groupBy(succeeded, ({ currency }) => currency)].map(([currency, those]) => ({
    currency,
    payments: those.length,
    paid: sum(those.map(({ gross }) => gross)),
    refunded: sum(those.map(({ refunded }) => refunded)),
    left: sum(those.map((row) => row.gross - row.refunded - lostOf(row))),
  }));
}
