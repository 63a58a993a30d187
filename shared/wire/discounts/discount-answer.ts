import * as z from 'zod';
import { eligibilities } from '../../domain/discounts/discount.ts';
import { discountTypes } from '../../domain/discounts/discount-terms.ts';
import { always } from '../answers/always.ts';
import { common } from '../answers/fields.ts';
import { answeredId, count, currency, instantText, pageOf, paidAmount, upTo } from '../answers/values.ts';
import { redeemedDiscountConstants } from '../constants.ts';

const CurrencyOption = z.strictObject({
  currency: currency.describe('The currency, ISO 4217.'),
  is_default: z.boolean().describe('Whether the row is the default one. A single row is.'),
  max_amount_possible: paidAmount
    .nullable()
    .describe('The most that a percentage takes off in this currency; what a flat code takes off.'),
  minimum_subtotal: paidAmount.describe('What the products of the code must cost before any code, in minor units.'),
});

const named = {
  discount_id: answeredId('dsc').describe('The id of the discount.'),
  business_id: common.business_id,
  type: z.enum(discountTypes).describe('`percentage` or `flat`.'),
  amount: paidAmount.describe(
    'What the code takes off: basis points of a percentage, `1500` is 15 %; of a flat code minor units in its default currency.',
  ),
  code: upTo(16).describe('What the buyer types, in any case.'),
  name: upTo(100).nullable().describe('The name.'),
  restricted_to: z.array(answeredId('pdt')).max(100).describe('The ids of the products that it is for; empty: all.'),
  times_used: count.describe('How often it was used. Payments that are processing count, failed ones do not.'),
  usage_limit: count.nullable().describe('How often it may be used; null: without limit.'),
  expires_at: common.expires_at,
  created_at: common.created_at,
};

const Discount = z.strictObject({
  ...named,
  currency_options: z
    .array(CurrencyOption)
    .max(200)
    .describe(
      'What the code does in each currency. With rows, it is valid in their currencies only, because nothing is converted.',
    ),
  per_customer_usage_limit: count.nullable().describe('How often one customer may use it; null: without limit.'),
  starts_at: instantText.nullable().describe('From when it is valid; null: at once.'),
  customer_eligibility: z
    .enum(eligibilities)
    .describe(
      'Who may use it: `any` customer, one whose payment is the `first_time`, an `existing` one, or those on the list of the code (`specific`).',
    ),
  metadata: common.metadata,
  preserve_on_plan_change: z.boolean().describe('Kept and answered, without effect: there are no subscriptions.'),
  subscription_cycles: count.nullable().describe('Kept and answered, without effect: there are no subscriptions.'),
  below_minimum: z
    .boolean()
    .describe('Whether the code may take a pay-what-you-want price below its minimum. Without it: no.'),
  combinable: z
    .boolean()
    .optional()
    .describe(
      'Whether the code may be used together with others; several codes need it of all. Without it: yes. Absent only in an answer of version 0.2.0 that is repeated for its Idempotency-Key.',
    ),
});

const noSubscriptions = 'there are no subscriptions';

/** A code in the answer about a payment that it has lowered. */
export const RedeemedDiscount = z.strictObject({
  ...named,
  times_used: count.describe(
    'How often it had been used then, this payment included. Of a code without a limit, about as often.',
  ),
  position: z.int().min(0).max(19).describe('The place of the code among those of the payment, from 0.'),
  ...always(redeemedDiscountConstants, {
    metadata: 'the code itself has it',
    preserve_on_plan_change: noSubscriptions,
    cycles_remaining: noSubscriptions,
    subscription_cycles: noSubscriptions,
  }),
  discount_amount: paidAmount.describe(
    'What codes take off, in minor units of the displayed or chosen amount. Absent without a code.',
  ),
});

const DiscountCustomer = z.strictObject({ customer_id: common.customer_id, created_at: common.created_at });

/** The answers of the discount routes, by their names in the contract. */
export const discountAnswers = {
  Discount,
  DiscountPage: pageOf(Discount),
  RedeemedDiscount,
  DiscountCustomerPage: pageOf(DiscountCustomer),
  DiscountCustomers: z.strictObject({
    customer_ids: z
      .array(answeredId('cus'))
      .max(2_000)
      .describe('Ids of customers, also of those who have not bought yet.'),
  }),
} as const;
export type DiscountAnswer<Name extends keyof typeof discountAnswers> = z.input<(typeof discountAnswers)[Name]>;
