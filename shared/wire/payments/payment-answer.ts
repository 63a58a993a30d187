import * as z from 'zod';
import { chargeStatuses } from '../../domain/checkout/checkout-session.ts';
import { disputeGrounds } from '../../domain/disputes/dispute-adjustment.ts';
import { disputeStages, disputeStatuses, RefundSummary } from '../../domain/payments/payment.ts';
import { networkReferenceTypes, refundWaits } from '../../domain/payments/refund.ts';
import { always } from '../answers/always.ts';
import { Payer, PostalAddress } from '../answers/buyer.ts';
import { common } from '../answers/fields.ts';
import {
  answeredId,
  countryText,
  instantText,
  link,
  pageOf,
  paidAmount,
  paidCurrency,
  upTo,
} from '../answers/values.ts';
import { LineTax, NextAction } from '../checkout/checkout-answer.ts';
import {
  disputeConstants,
  lineItemsConstants,
  onePaymentConstants,
  paymentConstants,
  providerConstants,
} from '../constants.ts';
import { RedeemedDiscount } from '../discounts/discount-answer.ts';
import { PayoutOfSale } from '../payouts/payout-answer.ts';
import { AcceptedConfirmation, RightOfWithdrawal } from '../withdrawal/right-answer.ts';

const disputeStatus = z.enum(disputeStatuses.map((status) => `dispute_${status}` as const));
/** The amount of a dispute, which the API writes as text. */
const amountText = z.string().regex(/^\d{1,10}$/);

const RefundListItem = z.strictObject({
  refund_id: answeredId('ref').describe('The id of the refund; on a document, null for an invoice.'),
  payment_id: common.payment_id,
  business_id: common.business_id,
  status: RefundSummary.shape.status.describe('`pending` until the processor has paid it out or refused.'),
  created_at: common.created_at,
  is_partial: z.boolean().describe('Whether the refund is smaller than the payment.'),
  amount: common.amount,
  currency: common.currency,
  reason: upTo(3_000).nullable().describe('Your own note. Buyers never see it.'),
});

const RefundItem = z.strictObject({
  item_id: common.item_id,
  amount: common.amount,
  tax: common.tax,
  tax_inclusive: z.boolean().describe('Whether the refund of the line was asked for in gross amounts.'),
});

const Refund = z.strictObject({
  ...RefundListItem.shape,
  brand_id: common.brand_id,
  customer: Payer.describe('The buyer.'),
  public_reason: upTo(3_000).nullable().describe('The reason that is printed on the credit note.'),
  metadata: common.metadata,
  pending_reason: z
    .enum(refundWaits)
    .nullable()
    .optional()
    .describe(
      'What a pending refund waits for: `balance`, money in your balance at the processor; `charge`, the money of the payment itself; `buyer`, who has to name an account; `bank`, the buyer’s bank. Null if the processor does not say, and once the refund has ended. A field of ours.',
    ),
  network_reference: upTo(255)
    .nullable()
    .optional()
    .describe(
      'The number that the card’s network gave to the refund, days later. The buyer’s bank finds the refund by it. Null until it is known.',
    ),
  network_reference_type: z
    .enum(networkReferenceTypes)
    .nullable()
    .optional()
    .describe('The kind of `network_reference`; null until it is known.'),
  network_reference_updated_at: instantText
    .nullable()
    .optional()
    .describe('When `network_reference` became known, in UTC; null until then.'),
  keep_access: z
    .boolean()
    .optional()
    .describe('Whether the buyer keeps the files, licence keys and flags of the refunded lines.'),
  tax: common.tax,
  tax_inclusive: z.boolean().describe('Whether the refund was asked for in gross amounts.'),
  invoice_id: upTo(40).nullable().describe('The id of the document; null until the payment or refund has succeeded.'),
  invoice_url: link
    .nullable()
    .describe(
      'The address of the document, with a secret that opens it; null until the payment or refund has succeeded.',
    ),
  items: z.array(RefundItem).max(20).describe('What was refunded of each line.'),
});

const provider = always(providerConstants, {
  payment_provider: 'adapters of the dialect insist on it, and `processor` names the real one',
});

const DisputeSummary = z.strictObject({
  dispute_id: answeredId('dsp').describe('The id of the dispute.'),
  payment_id: common.payment_id,
  business_id: common.business_id,
  dispute_status: disputeStatus.describe('Where the dispute stands. `dispute_opened` awaits evidence.'),
  dispute_stage: z
    .enum(disputeStages)
    .describe('How far the dispute has gone: in `pre_dispute` the bank inquires and has taken nothing.'),
  amount: amountText.describe('What the bank asks for, in minor units, as text.'),
  currency: common.currency,
  created_at: common.created_at,
  ...always(disputeConstants),
});

const DisputeListItem = z.strictObject({
  ...DisputeSummary.shape,
  ...provider,
  processor: upTo(40).describe('Who moved the money: `sandbox`, `stripe` and the like.'),
  evidence_due_by: instantText.nullable().describe('Until when the bank takes evidence; null where it takes none.'),
});

const DisputeAdjustment = z.strictObject({
  adjustment_id: answeredId('adj').describe('The id of the adjustment.'),
  kind: z
    .enum(['lost', 'won'])
    .describe(
      '`lost` takes the amounts off the taxed turnover. `won` puts them back: the money came back, or another ground was chosen.',
    ),
  ground: z
    .enum(disputeGrounds)
    .describe(
      'Why. `uncollectible`: the buyer keeps what was sold and does not pay. `rescinded`: the sale is undone, and a credit note is issued.',
    ),
  counts_at: instantText.describe(
    'When the dispute was lost, or the money came back: the tax period of this day counts. A changed ground is put back on the day of the loss.',
  ),
  booked_at: instantText.describe('When the adjustment was booked.'),
  net_amount: paidAmount.describe('The disputed share without tax, in minor units.'),
  tax: common.tax,
  total_amount: common.total_amount,
});

const Dispute = z.strictObject({
  ...DisputeListItem.shape,
  brand_id: common.brand_id,
  customer: Payer.describe('The buyer.'),
  reason: upTo(500).nullable().describe('Why the buyer’s bank asks the payment back.'),
  withdrawn_amount: paidAmount.describe(
    'What the processor has taken from the merchant, in minor units, without its fees.',
  ),
  is_refundable: z.boolean().describe('Whether the processor still refunds the payment.'),
  evidence_url: link.nullable().describe('The processor’s page where evidence is given.'),
  updated_at: common.updated_at,
  adjustments: z
    .array(DisputeAdjustment)
    .max(100)
    .optional()
    .describe(
      'What the dispute changed in the taxed turnover, in order. Absent until a ground is chosen. A field of ours.',
    ),
});

const listed = {
  payment_id: common.payment_id,
  brand_id: common.brand_id,
  created_at: common.created_at,
  currency: common.currency,
  metadata: common.metadata,
  status: z
    .enum(chargeStatuses)
    .describe('`processing` and `requires_customer_action` are open; `succeeded`, `failed` and `cancelled` are final.'),
  total_amount: common.total_amount,
  customer: Payer.describe('The buyer.'),
  ...provider,
  processor: upTo(40).describe('Who moved the money: `sandbox`, `stripe` and the like.'),
  payment_method: upTo(60).describe('How the buyer paid, such as `card`.'),
  payment_method_type: z.literal('credit').nullable().describe('`credit` for a card; null otherwise.'),
  card_last_four: z
    .string()
    .regex(/^\d{4}$/)
    .nullable()
    .describe('The last four digits of the card; null where none was used.'),
  card_network: upTo(60).nullable().describe('The network of the card, in upper case; null where none was used.'),
  refund_status: z
    .enum(['partial', 'full'])
    .nullable()
    .describe('`partial` or `full` by the refunds that have succeeded; null where none has.'),
  invoice_id: upTo(40).nullable().describe('The id of the document; null until the payment or refund has succeeded.'),
  invoice_url: link
    .nullable()
    .describe(
      'The address of the document, with a secret that opens it; null until the payment or refund has succeeded.',
    ),
  ...always(paymentConstants),
};

const PaymentListItem = z.strictObject({
  ...listed,
  checkout_session_id: common.checkout_session_id
    .nullable()
    .optional()
    .describe(
      'The id of the checkout session; only for keys that write. Null for a payment of version 0.2.0 that has not changed since.',
    ),
  has_license_key: z.literal(false).describe('Always false.'),
  dispute_status: disputeStatus.nullable().describe('The status of the newest dispute; null where there is none.'),
});

const EarlyFraudWarning = z.strictObject({
  processor_reference: upTo(255).describe('The processor’s id of the warning.'),
  fraud_type: upTo(100).describe('The network’s word for the kind of fraud, such as `made_with_stolen_card`.'),
  is_actionable: z
    .boolean()
    .describe('Whether a full refund can still avoid a dispute. False once it was refunded or disputed.'),
  created_at: common.created_at,
});

const CartItem = z.strictObject({ product_id: common.product_id, quantity: common.quantity });

const Payment = z.strictObject({
  ...listed,
  business_id: common.business_id,
  updated_at: common.updated_at,
  tax: common.tax,
  billing: PostalAddress.describe('The buyer’s billing address.'),
  card_issuing_country: countryText.nullable().describe('The country of the card, where the processor tells it.'),
  card_type: upTo(60).nullable().describe('`credit` where a card was used.'),
  card_exp_month: upTo(4).nullable().describe('The month in which the card expires; null where it is unknown.'),
  card_exp_year: upTo(4).nullable().describe('The year in which the card expires; null where it is unknown.'),
  three_ds_flow: upTo(60).nullable().describe('How 3-D Secure went; null where it is unknown.'),
  three_ds_status: upTo(60).nullable().describe('The result of 3-D Secure; null where it is unknown.'),
  three_ds_version: upTo(20).nullable().describe('The version of 3-D Secure; null where it is unknown.'),
  refunds: z.array(RefundListItem).max(1_000).describe('The refunds of the payment.'),
  refundable_amount: paidAmount.describe('What can still be refunded, in minor units, tax included.'),
  error_code: common.error_code,
  error_message: common.error_message,
  checkout_session_id: common.checkout_session_id,
  payment_link: link.describe('The address of the checkout page.'),
  product_cart: z.array(CartItem).max(20).describe('What is bought.'),
  settlement_amount: paidAmount.describe('The same as `total_amount`.'),
  settlement_currency: paidCurrency.describe('The same as `currency`.'),
  settlement_tax: paidAmount.describe('The same as `tax`.'),
  disputes: z.array(DisputeSummary).max(100).describe('The disputes of the payment.'),
  discount_id: answeredId('dsc').nullable().describe('The id of the first code that was redeemed; null if none was.'),
  discounts: z
    .array(RedeemedDiscount)
    .max(20)
    .nullable()
    .describe('The codes that were redeemed, in their order; null if none was.'),
  discount_amount: common.discount_amount,
  ...always(onePaymentConstants, {
    card_holder_name: 'it is not kept',
    custom_field_responses: 'there are no custom fields',
  }),
  current_invoice_id: upTo(40)
    .optional()
    .describe('The id of the corrected invoice that has replaced the first one. Absent if none has. A field of ours.'),
  current_invoice_url: link
    .optional()
    .describe(
      'The address of the corrected invoice, with a secret that opens it. `invoice_url` stays the address of the first. Absent if there is none. A field of ours.',
    ),
  early_fraud_warning: EarlyFraudWarning.optional().describe(
    'The newest warning of the card’s network that its holder calls the payment a fraud. Absent if there is none.',
  ),
  next_action: NextAction.optional().describe('The buyer’s next step, while the payment is open at the processor.'),
  withdrawal: RightOfWithdrawal.nullable()
    .optional()
    .describe('The buyer’s right of withdrawal. Null where no contract came from the payment. Absent in webhooks.'),
  confirmation: AcceptedConfirmation.nullable()
    .optional()
    .describe(
      'The confirmation of the contract (Directive 2011/83/EU, art. 8(7)), which the mail of a purchase by a consumer carries. Null until the mail service has accepted that mail, if it came back, and in a stack that sends no mail. Absent in webhooks.',
    ),
  payout: PayoutOfSale.nullable()
    .optional()
    .describe(
      'The payout with the money of the payment, and when it arrives. Null until the processor says which it is, and for manual payouts it never does. Absent in webhooks, and for payments that no processor pays out.',
    ),
  order_url: link
    .optional()
    .describe(
      'The link of the order page, with a secret: what was bought, documents and refunds. For the buyer only. Absent until the payment has succeeded, and for keys that only read.',
    ),
});

const LineItem = z.strictObject({
  items_id: answeredId('pdt').describe(
    'The id of the line, which is the id of its product. Refunds call it `item_id`.',
  ),
  name: common.name,
  description: common.description,
  amount: paidAmount.describe('What was paid for the line in minor units, tax included.'),
  tax: common.tax,
  refundable_amount: paidAmount.describe('What can still be refunded, in minor units, tax included.'),
  quantity: common.quantity,
  unit_amount: common.unit_amount,
  discount_amount: common.discount_amount,
  net_amount: common.net_amount,
  tax_rate: common.tax_rate,
  tax_category: common.tax_category,
  tax_inclusive: common.tax_inclusive,
  tax_components: z.array(LineTax).max(20).describe('Each tax of the line. Their amounts sum to its tax.'),
});

/** The answers of the routes for payments, refunds and disputes, by their names in the contract. */
export const paymentAnswers = {
  Customer: Payer,
  BillingAddress: PostalAddress,
  Payment,
  PaymentListItem,
  PaymentPage: pageOf(PaymentListItem),
  LineItem,
  LineItems: z.strictObject({
    ...always(lineItemsConstants),
    currency: common.currency,
    items: z.array(LineItem).max(20).describe('The lines of the payment.'),
  }),
  RefundItem,
  Refund,
  RefundListItem,
  RefundPage: pageOf(RefundListItem),
  RefundPreview: z.strictObject({
    payment_id: common.payment_id,
    currency: common.currency,
    refundable: paidAmount.describe('What was refundable before, in minor units.'),
    gross: paidAmount.describe('The amount that goes back to the buyer, in minor units, tax included.'),
    net: paidAmount.describe('The amount without tax, in minor units.'),
    tax: common.tax,
    is_partial: z.boolean().describe('Whether the refund is smaller than the payment.'),
    items: z
      .array(
        z.strictObject({
          item_id: common.item_id,
          gross: paidAmount.describe('The amount that goes back to the buyer, in minor units, tax included.'),
          net: paidAmount.describe('The amount without tax, in minor units.'),
          tax: common.tax,
        }),
      )
      .max(20)
      .describe('What would be refunded of each line.'),
  }),
  DisputeSummary,
  DisputeListItem,
  DisputeAdjustment,
  Dispute,
  DisputePage: pageOf(DisputeListItem),
};
export type PaymentAnswer<Name extends keyof typeof paymentAnswers> = z.input<(typeof paymentAnswers)[Name]>;
