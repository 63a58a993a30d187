import * as z from 'zod';
import { eligibilities } from '../../domain/discounts/discount.ts';
import { discountTypes } from '../../domain/discounts/discount-terms.ts';
import { answeredId, count, currency, instantText, metadataMap, pageOf, paidAmount, upTo } from '../answer-values.ts';

const CurrencyOption = z.strictObject({
  currency,
  is_default: z.boolean(),
  max_amount_possible: paidAmount.nullable(),
  minimum_subtotal: paidAmount,
});

const named = {
  discount_id: answeredId('dsc'),
  business_id: upTo(31),
  type: z.enum(discountTypes),
  amount: paidAmount,
  code: upTo(16),
  name: upTo(100).nullable(),
  restricted_to: z.array(answeredId('pdt')).max(100),
  times_used: count,
  usage_limit: count.nullable(),
  expires_at: instantText.nullable(),
  created_at: instantText,
};

const Discount = z.strictObject({
  ...named,
  currency_options: z.array(CurrencyOption).max(200),
  per_customer_usage_limit: count.nullable(),
  starts_at: instantText.nullable(),
  customer_eligibility: z.enum(eligibilities),
  metadata: metadataMap,
  preserve_on_plan_change: z.boolean(),
  subscription_cycles: count.nullable(),
  below_minimum: z.boolean(),
});

/** A code in the payment that it has lowered. */
export const RedeemedDiscount = z.strictObject({
  ...named,
  position: z.int().min(0).max(19),
  metadata: z.strictObject({}),
  preserve_on_plan_change: z.literal(false),
  cycles_remaining: z.null(),
  subscription_cycles: z.null(),
  discount_amount: paidAmount,
});

const DiscountCustomer = z.strictObject({ customer_id: answeredId('cus'), created_at: instantText });

/** What the routes of discounts answer, by the name in the contract. */
export const discountAnswers = {
  Discount,
  DiscountPage: pageOf(Discount),
  RedeemedDiscount,
  DiscountCustomerPage: pageOf(DiscountCustomer),
  DiscountCustomers: z.strictObject({ customer_ids: z.array(answeredId('cus')).max(2_000) }),
} as const;
