import * as z from 'zod';
import { chargeStatuses } from '../checkout/checkout-session.ts';
import { chargeStatusOf } from './charge.ts';
import { DisputeStanding, disputeStandingOf } from './dispute-standing.ts';
import { disputeStatuses, Payment } from './payment.ts';

/**
 * `tax_id_proven`: a correction is proposed; `tax_id_denied`: no tax was charged to a business that its register does
 * not know.
 */
export const attentions = ['tax_id_proven', 'tax_id_denied'] as const;

/** What the merchant has to decide about a payment, or should know. */
export function attentionOf({ correction, taxId, lines }: Payment): (typeof attentions)[number] | undefined {
  if (correction?.status === 'proposed') return 'tax_id_proven';
  const isRelieved = lines.some(({ components }) => components.some(({ reason }) => reason === 'reverse_charge'));
  return taxId?.status === 'invalid' && isRelieved ? 'tax_id_denied' : undefined;
}

/** The short fields of a payment, which lists and searches use. Older rows have no tax date. */
export const PaymentBrief = Payment.pick({
  id: true,
  brandId: true,
  currency: true,
  gross: true,
  refunded: true,
  createdAt: true,
}).extend({
  status: z.enum(chargeStatuses),
  productIds: z.array(z.string()),
  taxDate: z.string().optional(),
  /** Of the codes that were redeemed; absent: none. */
  discountIds: z.array(z.string()).optional(),
  /** Of the newest dispute; absent where there is none. */
  disputeStatus: z.enum(disputeStatuses).optional(),
  /** Of all disputes together; absent where there is none, and in rows of 0.2.0. */
  disputeStanding: DisputeStanding.optional(),
  /** What the merchant has to decide, or should know; absent: nothing. */
  attention: z.enum(attentions).optional(),
});
export type PaymentBrief = z.infer<typeof PaymentBrief>;

/** The fields of a listed payment that can be long. */
const PaymentRest = Payment.pick({
  customer: true,
  processor: true,
  card: true,
  method: true,
  metadata: true,
  documentSecret: true,
});

const Disputed = Payment.pick({ disputes: true, disputed: true });

/** Rows of 0.2.0 do not say how much of a payment is lost to disputes. */
export const lacksStanding = ({ disputeStatus, disputeStanding }: PaymentBrief): boolean =>
  disputeStatus !== undefined && disputeStanding === undefined;

/** The row of a list with what it lacks, from the payment's data. */
export const completedRow = (row: PaymentBrief, data: unknown): PaymentRow =>
  PaymentRow.parse({ ...row, ...PaymentRest.parse(data), disputeStanding: disputeStandingOf(Disputed.parse(data)) });

/** How many of its products a row of a list names. */
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
  });
