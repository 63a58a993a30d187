import * as z from 'zod';
import { maxAmount } from '../../domain/money/money.ts';
import type { RefundRequest } from '../../domain/payments/refund-portions.ts';
import { MetadataMap } from '../metadata.ts';
import { prose, withoutCard } from '../text/texts.ts';
import { idOf, MoneyAmount, PaidCurrencyCode } from '../values.ts';
import { withCode } from '../with-code.ts';

/** Checks the minimum first, so -1 is too low like 0. */
const LineAmount = z
  .number('must be a whole number of minor units')
  .refine((value) => value >= 1, withCode('LINE_ITEM_REFUND_AMOUNT_TOO_LOW', 'must be at least 1'))
  .meta({ type: 'integer', minimum: 1, maximum: maxAmount })
  .pipe(MoneyAmount);

const RefundItemInput = z.strictObject({
  item_id: withoutCard(z.string().min(1).max(100, { error: 'must have at most 100 characters', abort: true })),
  amount: LineAmount.nullish(),
  tax_inclusive: z.boolean().optional(),
});

/** The body of `POST /refunds`. Without amount and items, the whole rest is refunded. */
export const RefundInput = z
  .strictObject({
    payment_id: idOf('pay'),
    items: z
      .array(RefundItemInput)
      .min(1, 'must list at least one line; leave it out to refund everything')
      .max(20)
      .nullish(),
    tax_inclusive: z.boolean().default(true),
    amount: MoneyAmount.refine((value) => value >= 1, 'must be at least 1')
      .meta({ minimum: 1 })
      .nullish(),
    currency: PaidCurrencyCode.nullish(),
    type: z.literal('tax', 'may only be "tax": the whole remaining tax').nullish(),
    expected_refundable: MoneyAmount.nullish(),
    reason: prose(0, 3000).nullish(),
    public_reason: prose(0, 3000).nullish(),
    metadata: MetadataMap.nullish(),
  })
  .refine(({ amount, items }) => !(amount && items), {
    ...withCode('INVALID_REQUEST_PARAMETERS', 'cannot be combined with items; send one of them'),
    path: ['amount'],
  })
  .refine(({ type, amount, items }) => !(type && (amount || items)), {
    ...withCode('INVALID_REQUEST_PARAMETERS', 'refunds the whole remaining tax; leave out amount and items'),
    path: ['type'],
  })
  .transform(
    (input): RefundRequest => ({
      paymentId: input.payment_id,
      type: input.type ?? 'money',
      expectedRefundable: input.expected_refundable ?? null,
      amount: input.amount ?? null,
      currency: input.currency ?? null,
      items:
        input.items?.map((item) => ({
          productId: item.item_id,
          amount: item.amount ?? null,
          taxInclusive: item.tax_inclusive ?? input.tax_inclusive,
        })) ?? null,
      taxInclusive: input.tax_inclusive,
      reason: input.reason ?? null,
      publicReason: input.public_reason || null,
      metadata: input.metadata ?? {},
    }),
  );
