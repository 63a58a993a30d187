import * as z from 'zod';
import { maxAmount } from '../../domain/money/money.ts';
import type { RefundRequest } from '../../domain/payments/refund-portions.ts';
import { freedReasons } from '../../domain/payments/tax-correction.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { MetadataMap } from '../metadata.ts';
import { says, saysWith } from '../says.ts';
import { prose, withoutCard } from '../text/texts.ts';
import { idOf, MoneyAmount, PaidCurrencyCode } from '../values.ts';

/** The amount of a line. The minimum is checked first, so -1 gets the same error as 0. */
const LineAmount = z
  .number(says(sentences.whole_amount))
  .refine((value) => value >= 1, saysWith('LINE_ITEM_REFUND_AMOUNT_TOO_LOW', sentences.at_least, { least: 1 }))
  .meta({ type: 'integer', minimum: 1, maximum: maxAmount })
  .pipe(MoneyAmount);

const RefundItemInput = z.strictObject({
  item_id: withoutCard(
    z
      .string()
      .min(1)
      .max(100, { ...says(sentences.too_long, { most: 100 }), abort: true }),
  ),
  amount: LineAmount.nullish(),
  tax_inclusive: z.boolean().optional(),
});

/** The body of `POST /refunds`. Without amount and items, everything that is left is refunded. */
export const RefundInput = z
  .strictObject({
    payment_id: idOf('pay'),
    items: z.array(RefundItemInput).min(1, says(sentences.refund_lines)).max(20).nullish(),
    tax_inclusive: z.boolean().default(true),
    amount: MoneyAmount.refine((value) => value >= 1, says(sentences.at_least, { least: 1 }))
      .meta({ minimum: 1 })
      .nullish(),
    currency: PaidCurrencyCode.nullish(),
    type: z.literal('tax', says(sentences.refund_type)).nullish(),
    tax_reason: z.enum(freedReasons).nullish(),
    expected_refundable: MoneyAmount.nullish(),
    reason: prose(0, 3000).nullish(),
    public_reason: prose(0, 3000).nullish(),
    metadata: MetadataMap.nullish(),
    keep_access: z.boolean().optional(),
  })
  .refine(({ amount, items }) => !(amount && items), {
    ...saysWith('INVALID_REQUEST_PARAMETERS', sentences.refund_either),
    path: ['amount'],
  })
  .refine(({ type, amount, items }) => !(type && (amount || items)), {
    ...saysWith('INVALID_REQUEST_PARAMETERS', sentences.refund_tax),
    path: ['type'],
  })
  .refine(({ type, tax_reason }) => type || !tax_reason, {
    ...saysWith('INVALID_REQUEST_PARAMETERS', sentences.refund_tax_only),
    path: ['tax_reason'],
  })
  .transform(
    (input): RefundRequest => ({
      paymentId: input.payment_id,
      type: input.type ?? 'money',
      ...(input.tax_reason && { taxReason: input.tax_reason }),
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
      ...(input.keep_access && { keepsAccess: true }),
    }),
  );
