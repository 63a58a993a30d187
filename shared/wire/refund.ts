import * as z from 'zod';
import { creditNoteIdOf } from '../domain/document-id.ts';
import type { Payment } from '../domain/payment.ts';
import type { Refund, RefundRow } from '../domain/refund.ts';
import type { RefundRequest } from '../domain/refund-portions.ts';
import { presentCustomer } from './customer.ts';
import { documentUrl } from './document-address.ts';
import { createdFields, type ListTerms, onePaging, pageFields } from './page.ts';
import type { Site } from './site.ts';
import { idOf, MetadataMap, MoneyAmount, prose, withCode, withoutCard } from './values.ts';

/** Asked for its least before anything else, so that -1 is too low as 0 is. */
const LineAmount = z
  .number('must be a whole number of minor units')
  .refine((value) => value >= 1, withCode('LINE_ITEM_REFUND_AMOUNT_TOO_LOW', 'must be at least 1'))
  .pipe(MoneyAmount);

const RefundItemInput = z.strictObject({
  item_id: withoutCard(z.string().min(1).max(100, { error: 'must have at most 100 characters', abort: true })),
  amount: LineAmount.nullish(),
  tax_inclusive: z.boolean().optional(),
});

/** What `POST /refunds` takes; without amount and items everything that is left is refunded. */
export const RefundInput = z
  .strictObject({
    payment_id: idOf('pay'),
    items: z
      .array(RefundItemInput)
      .min(1, 'must name at least one line; leave it out to refund everything')
      .max(20)
      .nullish(),
    tax_inclusive: z.boolean().default(true),
    amount: MoneyAmount.refine((value) => value >= 1, 'must be at least 1').nullish(),
    type: z.literal('tax', 'may only be "tax": the whole remaining tax').nullish(),
    expected_refundable: MoneyAmount.nullish(),
    reason: prose(0, 3000).nullish(),
    metadata: MetadataMap.optional(),
  })
  .refine(({ amount, items }) => !(amount && items), {
    ...withCode('INVALID_REQUEST_PARAMETERS', 'cannot be combined with items; send one of them'),
    path: ['amount'],
  })
  .refine(({ type, amount, items }) => !(type && (amount || items)), {
    ...withCode('INVALID_REQUEST_PARAMETERS', 'returns the whole remaining tax; send neither amount nor items with it'),
    path: ['type'],
  })
  .transform(
    (input): RefundRequest => ({
      paymentId: input.payment_id,
      type: input.type ?? 'money',
      expectedRefundable: input.expected_refundable ?? null,
      amount: input.amount ?? null,
      items:
        input.items?.map((item) => ({
          productId: item.item_id,
          amount: item.amount ?? null,
          taxInclusive: item.tax_inclusive ?? input.tax_inclusive,
        })) ?? null,
      taxInclusive: input.tax_inclusive,
      reason: input.reason ?? null,
      metadata: input.metadata ?? {},
    }),
  );

export const RefundQuery = onePaging(
  z.strictObject({
    ...pageFields,
    ...createdFields,
    status: z.enum(['pending', 'succeeded', 'failed', 'review']).optional(),
    customer_id: idOf('cus').optional(),
    subscription_id: z.string().max(100).optional(),
  }),
);

/** What a refund would return, line by line; `refundable` is what is left before it. */
export const presentRefundPreview = ({ refund, payment }: { refund: Refund; payment: Payment }) => ({
  payment_id: payment.id,
  currency: payment.currency,
  refundable: payment.refundable,
  gross: refund.amount,
  net: refund.amount - refund.tax,
  tax: refund.tax,
  is_partial: refund.isPartial,
  items: refund.lines.map(({ productId, amount, tax }) => ({
    item_id: productId,
    gross: amount,
    net: amount - tax,
    tax,
  })),
});

/** What narrows the search for refunds. */
export const refundTerms: ListTerms = { narrowedBy: ['created_at_gte', 'created_at_lte', 'customer_id'] };

/** A refund in a list, and within its payment. */
export const presentRefundItem = (site: Site) => (refund: RefundRow) => ({
  refund_id: refund.id,
  payment_id: refund.paymentId,
  business_id: site.businessId,
  status: refund.status,
  created_at: refund.createdAt,
  is_partial: refund.isPartial,
  amount: refund.amount,
  currency: refund.currency,
  reason: refund.reason,
});

export const presentRefund = (site: Site) => (refund: Refund) => ({
  ...presentRefundItem(site)(refund),
  brand_id: refund.brandId,
  customer: presentCustomer(refund.customer),
  metadata: refund.metadata,
  tax: refund.tax,
  tax_inclusive: refund.taxInclusive,
  invoice_id: refund.status === 'succeeded' ? creditNoteIdOf(refund.id) : null,
  invoice_url:
    refund.status === 'succeeded' ? documentUrl(site, { paymentId: refund.paymentId, refundId: refund.id }) : null,
  items: refund.lines.map(({ productId, amount, tax, taxInclusive }) => ({
    item_id: productId,
    amount,
    tax,
    tax_inclusive: taxInclusive,
  })),
});
