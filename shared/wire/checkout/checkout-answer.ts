import * as z from 'zod';
import { chargeStatuses } from '../../domain/checkout/checkout-session.ts';
import { taxCategories, zeroReasons } from '../../domain/checkout/tax.ts';
import {
  answeredId,
  countryText,
  currency,
  instantText,
  link,
  metadataMap,
  noItems,
  paidAmount,
  percentage,
  upTo,
} from '../answer-values.ts';

const quantity = z.int().min(1).max(1_000_000);

/** One tax of a line, as buyers and integrators see it. */
export const LineTax = z.strictObject({
  name: upTo(60),
  rate: percentage.nullable(),
  amount: paidAmount,
  reason: z.enum(zeroReasons).nullable(),
});

/** The buyer's next step, while the payment is open at the processor. */
export const NextAction = z.strictObject({ type: z.literal('redirect'), url: link, expires_at: instantText });

const QuoteLine = z.strictObject({
  product_id: answeredId('pdt'),
  quantity,
  unit_amount: paidAmount,
  discount_amount: paidAmount.optional(),
  net_amount: paidAmount,
  tax: paidAmount,
  amount: paidAmount,
  tax_inclusive: z.boolean(),
  tax_components: z.array(LineTax).max(20),
});

const PreviewLine = z.strictObject({
  product_id: answeredId('pdt'),
  name: upTo(100),
  description: upTo(1_000),
  quantity,
  currency,
  og_currency: currency,
  og_price: paidAmount,
  discounted_price: paidAmount,
  line_discount: paidAmount,
  tax: paidAmount,
  tax_rate: percentage,
  tax_category: z.enum(taxCategories),
  tax_inclusive: z.boolean(),
  is_subscription: z.literal(false),
  is_usage_based: z.literal(false),
  meters: noItems,
  credit_entitlements: noItems,
  addons: z.null(),
  discount_amount: paidAmount.nullable(),
  discount_cycle: z.null(),
});

/** What the routes of checkouts answer, by the name in the contract. */
export const checkoutAnswers = {
  LineTax,
  NextAction,
  SessionCreated: z.strictObject({
    session_id: answeredId('cks'),
    checkout_url: link,
    client_secret: z.null(),
    payment_id: z.null(),
    publishable_key: z.null(),
  }),
  Session: z.strictObject({
    id: answeredId('cks'),
    created_at: instantText,
    customer_email: upTo(254).nullable(),
    customer_name: upTo(250).nullable(),
    payment_id: answeredId('pay').nullable(),
    payment_status: z.enum(chargeStatuses).nullable(),
    status: z.enum(['open', 'completed', 'expired']),
    expires_at: instantText,
    checkout_url: link,
    metadata: metadataMap,
    discount_codes: z.array(upTo(16)).max(20),
  }),
  PreviewLine,
  Preview: z.strictObject({
    billing_country: countryText,
    currency,
    total_price: paidAmount,
    total_tax: paidAmount,
    current_breakup: z.strictObject({
      subtotal: paidAmount,
      discount: paidAmount,
      tax: paidAmount,
      total_amount: paidAmount,
      listed_subtotal: paidAmount,
      listed_discount: paidAmount,
    }),
    product_cart: z.array(PreviewLine).max(20),
    discounts: z
      .array(
        z.strictObject({
          code: upTo(16),
          amount: paidAmount,
          problem: z.strictObject({ code: upTo(60), message: upTo(500) }).nullable(),
        }),
      )
      .max(20),
    tax_id_err_msg: upTo(500).nullable(),
    tax_id_format_name: upTo(100).nullable(),
    tax_id_business_name: upTo(1_000).nullable(),
    is_byop: z.literal(false),
    payment_method_required: z.literal(true),
    recurring_breakup: z.null(),
    next_billing_date: z.null(),
    subscriptions: z.null(),
    trial_amount: z.null(),
    trial_period_days: z.null(),
  }),
  QuoteLine,
  Quote: z.strictObject({
    currency,
    net_amount: paidAmount,
    tax: paidAmount,
    total_amount: paidAmount,
    discounts: z
      .array(z.strictObject({ code: upTo(16), amount: paidAmount }))
      .max(20)
      .optional(),
    lines: z.array(QuoteLine).max(20),
  }),
  Charge: z.strictObject({
    payment_id: answeredId('pay'),
    status: z.enum(chargeStatuses),
    total_amount: paidAmount,
    tax: paidAmount,
    currency,
    error_code: upTo(100).nullable(),
    error_message: upTo(1_000).nullable(),
    checkout_session_id: answeredId('cks'),
    next_action: NextAction.optional(),
  }),
  SupportedCountries: z.array(countryText).max(300),
};
