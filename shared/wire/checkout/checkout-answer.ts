import * as z from 'zod';
import { chargeStatuses } from '../../domain/checkout/checkout-session.ts';
import { always } from '../answers/always.ts';
import { common } from '../answers/fields.ts';
import { answeredId, countryText, currency, instantText, link, paidAmount, upTo } from '../answers/values.ts';
import { newSessionConstants, previewConstants, previewLineConstants } from '../constants.ts';
import { RightOfWithdrawal } from '../withdrawal/right-answer.ts';

const quantity = z.int().min(1).max(1_000_000);

/** One tax of a line, as buyers and integrators see it. */
export const LineTax = z.strictObject({
  name: upTo(60).describe('The name of the tax, such as `VAT`.'),
  rate: common.rate,
  amount: paidAmount.describe('The amount of this tax in minor units.'),
  reason: common.reason,
});

/** What the buyer has to do next, while the payment is open at the processor. */
export const NextAction = z.strictObject({
  type: z.literal('redirect').describe('What the buyer does: `redirect` means to open `url`.'),
  url: link.describe('Where the buyer pays.'),
  expires_at: instantText.describe('Until when the buyer can pay there.'),
});

const QuoteLine = z.strictObject({
  product_id: common.product_id,
  quantity: quantity.describe('How many units.'),
  unit_amount: common.unit_amount,
  discount_amount: common.discount_amount,
  net_amount: common.net_amount,
  tax: common.tax,
  amount: common.amount,
  tax_inclusive: common.tax_inclusive,
  tax_components: z.array(LineTax).max(20).describe('Each tax of the line. Their amounts sum to its tax.'),
});

const PreviewLine = z.strictObject({
  product_id: common.product_id,
  name: common.name,
  description: common.description,
  quantity: quantity.describe('How many units.'),
  currency: currency.describe('The currency, ISO 4217.'),
  og_currency: currency.describe('The same as `currency`.'),
  og_price: paidAmount.describe('The price of one unit in minor units.'),
  discounted_price: paidAmount.describe('The price of one unit after codes in minor units, rounded for display.'),
  line_discount: paidAmount.describe('What codes take off the line, in minor units of the displayed or chosen amount.'),
  tax: common.tax,
  tax_rate: common.tax_rate,
  tax_category: common.tax_category,
  tax_inclusive: common.tax_inclusive,
  ...always(previewLineConstants, { credit_entitlements: 'there are no credits', addons: 'there are no add-ons' }),
  discount_amount: paidAmount
    .nullable()
    .describe('The basis points of the only code of the line, if it is a percentage; otherwise null.'),
});

/** The answers of the checkout routes, by their names in the contract. */
export const checkoutAnswers = {
  LineTax,
  NextAction,
  SessionCreated: z.strictObject({
    session_id: answeredId('cks').describe('The id of the checkout session.'),
    checkout_url: link.describe('The address of the checkout page. Send the buyer there.'),
    ...always(newSessionConstants, { payment_id: 'there is no payment yet' }),
  }),
  Session: z.strictObject({
    id: answeredId('cks').describe('The id.'),
    created_at: common.created_at,
    customer_email: upTo(254).nullable().describe('The buyer’s e-mail address, where it is known.'),
    customer_name: upTo(250).nullable().describe('The buyer’s name, where it is known.'),
    payment_id: answeredId('pay')
      .nullable()
      .describe('The id of the successful or latest payment; null while there is none.'),
    payment_status: common.payment_status,
    status: z
      .enum(['open', 'completed', 'expired'])
      .describe('`open`, `completed` by a successful payment, or `expired` after 24 hours.'),
    expires_at: instantText.describe('When it expires; null where it never does.'),
    checkout_url: link.describe('The address of the checkout page. Send the buyer there.'),
    metadata: common.metadata,
    discount_codes: common.discount_codes,
  }),
  PreviewLine,
  Preview: z.strictObject({
    billing_country: countryText.describe('The country that the price is calculated for.'),
    currency: currency.describe('The currency, ISO 4217.'),
    total_price: paidAmount.describe('The same as `total_amount`.'),
    total_tax: paidAmount.describe('The tax in minor units.'),
    current_breakup: z
      .strictObject({
        subtotal: paidAmount.describe('The amount without tax, in minor units.'),
        discount: paidAmount.describe('What codes take off the net amount, in minor units.'),
        tax: common.tax,
        total_amount: common.total_amount,
        listed_subtotal: paidAmount.describe(
          'The sum of the displayed or chosen amounts before codes, in minor units.',
        ),
        listed_discount: paidAmount.describe('What codes take off the displayed amounts, in minor units.'),
      })
      .describe('The price, taken apart.'),
    product_cart: z.array(PreviewLine).max(20).describe('What is bought.'),
    discounts: z
      .array(
        z.strictObject({
          code: upTo(16).describe('The code as it was sent, in capital letters.'),
          amount: paidAmount.describe('What the code takes off, in minor units.'),
          problem: z
            .strictObject({
              code: upTo(60).describe('The stable code of the error. `x-error-codes` says what to do.'),
              message: upTo(500).describe('What is wrong, in plain words. It never repeats secrets.'),
            })
            .nullable()
            .describe('Why the code cannot be used; null if it can.'),
        }),
      )
      .max(20)
      .describe('The codes of the request: what each takes off, or why it cannot be used.'),
    tax_id_err_msg: upTo(500).nullable().describe('Why the tax id was refused; null where it was not.'),
    tax_id_format_name: upTo(100).nullable().describe('The name of this kind of tax id, such as `EU VAT`.'),
    tax_id_business_name: upTo(1_000)
      .nullable()
      .describe('The name under which a register knows the tax id; null where none was asked or it told none.'),
    ...always(previewConstants),
  }),
  QuoteLine,
  Quote: z.strictObject({
    currency: currency.describe('The currency, ISO 4217.'),
    net_amount: common.net_amount,
    tax: common.tax,
    total_amount: common.total_amount,
    discounts: z
      .array(
        z.strictObject({
          code: upTo(16).describe('The code as it was sent, in capital letters.'),
          amount: paidAmount.describe('What the code takes off, in minor units.'),
        }),
      )
      .max(20)
      .optional()
      .describe('The codes of the session, and what each takes off.'),
    lines: z.array(QuoteLine).max(20).describe('The lines, in the order of the cart.'),
  }),
  Charge: z.strictObject({
    payment_id: common.payment_id,
    status: z
      .enum(chargeStatuses)
      .describe(
        '`succeeded` is paid. `requires_customer_action` has a `next_action`. `failed` has an `error_code`, and may be tried again.',
      ),
    total_amount: common.total_amount,
    tax: common.tax,
    currency: currency.describe('The currency, ISO 4217.'),
    error_code: common.error_code,
    error_message: common.error_message,
    checkout_session_id: common.checkout_session_id,
    next_action: NextAction.optional().describe('The buyer’s next step, while the payment is open at the processor.'),
    withdrawal: RightOfWithdrawal.nullable().describe(
      'The buyer’s right of withdrawal. Null where no contract came from the payment.',
    ),
  }),
  RightOfWithdrawal,
  SupportedCountries: z.array(countryText).max(300),
};
export type CheckoutAnswer<Name extends keyof typeof checkoutAnswers> = z.input<(typeof checkoutAnswers)[Name]>;
