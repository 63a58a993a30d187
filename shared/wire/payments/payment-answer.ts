import * as z from 'zod';
import { chargeStatuses } from '../../domain/checkout/checkout-session.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import { disputeStages, disputeStatuses, RefundSummary } from '../../domain/payments/payment.ts';
import {
  answeredId,
  countryText,
  instantText,
  link,
  metadataMap,
  noItems,
  pageOf,
  paidAmount,
  paidCurrency,
  percentage,
  upTo,
} from '../answer-values.ts';
import { Payer, PostalAddress } from '../buyer-answer.ts';
import { LineTax, NextAction } from '../checkout/checkout-answer.ts';
import { RedeemedDiscount } from '../discounts/discount-answer.ts';

const disputeStatus = z.enum(disputeStatuses.map((status) => `dispute_${status}` as const));
/** The dialect writes the amount of a dispute as text. */
const amountText = z.string().regex(/^\d{1,10}$/);

const RefundListItem = z.strictObject({
  refund_id: answeredId('ref'),
  payment_id: answeredId('pay'),
  business_id: upTo(31),
  status: RefundSummary.shape.status,
  created_at: instantText,
  is_partial: z.boolean(),
  amount: paidAmount,
  currency: paidCurrency,
  reason: upTo(3_000).nullable(),
});

const RefundItem = z.strictObject({
  item_id: answeredId('pdt'),
  amount: paidAmount,
  tax: paidAmount,
  tax_inclusive: z.boolean(),
});

const Refund = z.strictObject({
  ...RefundListItem.shape,
  brand_id: answeredId('brnd'),
  customer: Payer,
  public_reason: upTo(3_000).nullable(),
  metadata: metadataMap,
  tax: paidAmount,
  tax_inclusive: z.boolean(),
  invoice_id: upTo(40).nullable(),
  invoice_url: link.nullable(),
  items: z.array(RefundItem).max(20),
});

const DisputeSummary = z.strictObject({
  dispute_id: answeredId('dsp'),
  payment_id: answeredId('pay'),
  business_id: upTo(31),
  dispute_status: disputeStatus,
  dispute_stage: z.enum(disputeStages),
  amount: amountText,
  currency: paidCurrency,
  created_at: instantText,
  is_resolved_by_rdr: z.null(),
  remarks: z.null(),
});

const DisputeListItem = z.strictObject({
  ...DisputeSummary.shape,
  payment_provider: z.literal('dodo'),
  processor: upTo(40),
  evidence_due_by: instantText.nullable(),
});

const Dispute = z.strictObject({
  ...DisputeListItem.shape,
  brand_id: answeredId('brnd'),
  customer: Payer,
  reason: upTo(500).nullable(),
  withdrawn_amount: paidAmount,
  is_refundable: z.boolean(),
  evidence_url: link.nullable(),
  updated_at: instantText,
});

const listed = {
  payment_id: answeredId('pay'),
  brand_id: answeredId('brnd'),
  created_at: instantText,
  currency: paidCurrency,
  metadata: metadataMap,
  status: z.enum(chargeStatuses),
  total_amount: paidAmount,
  customer: Payer,
  payment_provider: z.literal('dodo'),
  processor: upTo(40),
  payment_method: upTo(60),
  payment_method_type: z.literal('credit').nullable(),
  card_last_four: z
    .string()
    .regex(/^\d{4}$/)
    .nullable(),
  card_network: upTo(60).nullable(),
  refund_status: z.enum(['partial', 'full']).nullable(),
  invoice_id: upTo(40).nullable(),
  invoice_url: link.nullable(),
  is_multi_subscription: z.literal(false),
  subscription_ids: noItems,
  subscription_id: z.null(),
  digital_products_delivered: z.literal(false),
  includes_usage: z.literal(false),
  service_periods: noItems,
  charge_type: z.null(),
  retry_attempt: z.literal(0),
};

const PaymentListItem = z.strictObject({
  ...listed,
  has_license_key: z.literal(false),
  dispute_status: disputeStatus.nullable(),
});

const CartItem = z.strictObject({ product_id: answeredId('pdt'), quantity: z.int().min(1).max(1_000_000) });

const Payment = z.strictObject({
  ...listed,
  business_id: upTo(31),
  updated_at: instantText,
  tax: paidAmount,
  billing: PostalAddress,
  card_holder_name: z.null(),
  card_issuing_country: countryText.nullable(),
  card_type: upTo(60).nullable(),
  card_exp_month: upTo(4).nullable(),
  card_exp_year: upTo(4).nullable(),
  three_ds_flow: upTo(60).nullable(),
  three_ds_status: upTo(60).nullable(),
  three_ds_version: upTo(20).nullable(),
  payment_method_id: z.null(),
  refunds: z.array(RefundListItem).max(1_000),
  refundable_amount: paidAmount,
  error_code: upTo(100).nullable(),
  error_message: upTo(1_000).nullable(),
  checkout_session_id: answeredId('cks'),
  payment_link: link,
  product_cart: z.array(CartItem).max(20),
  settlement_amount: paidAmount,
  settlement_currency: paidCurrency,
  settlement_tax: paidAmount,
  disputes: z.array(DisputeSummary).max(100),
  is_update_payment_method: z.literal(false),
  discount_id: answeredId('dsc').nullable(),
  discounts: z.array(RedeemedDiscount).max(20).nullable(),
  discount_amount: paidAmount.optional(),
  custom_field_responses: z.null(),
  next_action: NextAction.optional(),
});

const LineItem = z.strictObject({
  items_id: answeredId('pdt'),
  name: upTo(100),
  description: upTo(1_000),
  amount: paidAmount,
  tax: paidAmount,
  refundable_amount: paidAmount,
  quantity: z.int().min(1).max(1_000_000),
  unit_amount: paidAmount,
  discount_amount: paidAmount.optional(),
  net_amount: paidAmount,
  tax_rate: percentage,
  tax_category: z.enum(taxCategories),
  tax_inclusive: z.boolean(),
  tax_components: z.array(LineTax).max(20),
});

/** What the routes of payments, refunds and disputes answer, by the name in the contract. */
export const paymentAnswers = {
  Customer: Payer,
  BillingAddress: PostalAddress,
  Payment,
  PaymentListItem,
  PaymentPage: pageOf(PaymentListItem),
  LineItem,
  LineItems: z.strictObject({
    partial_refund_allowed: z.literal(true),
    currency: paidCurrency,
    items: z.array(LineItem).max(20),
  }),
  RefundItem,
  Refund,
  RefundListItem,
  RefundPage: pageOf(RefundListItem),
  RefundPreview: z.strictObject({
    payment_id: answeredId('pay'),
    currency: paidCurrency,
    refundable: paidAmount,
    gross: paidAmount,
    net: paidAmount,
    tax: paidAmount,
    is_partial: z.boolean(),
    items: z
      .array(z.strictObject({ item_id: answeredId('pdt'), gross: paidAmount, net: paidAmount, tax: paidAmount }))
      .max(20),
  }),
  DisputeSummary,
  DisputeListItem,
  Dispute,
  DisputePage: pageOf(DisputeListItem),
};
