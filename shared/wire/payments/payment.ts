import { documentUrl } from '../../domain/documents/document-address.ts';
import { correctedInvoiceIdOf, invoiceIdOf } from '../../domain/documents/document-id.ts';
import { chargeStatusOf } from '../../domain/payments/charge.ts';
import { type Payment, type PaymentLine, refundStatus } from '../../domain/payments/payment.ts';
import type { PaymentRow } from '../../domain/payments/payment-row.ts';
import { correctingRefundIdOf } from '../../domain/payments/tax-correction.ts';
import type { Site } from '../../domain/site.ts';
import type { CheckoutAnswer } from '../checkout/checkout-answer.ts';
import {
  lineItemsConstants,
  onePaymentConstants,
  paymentConstants,
  providerConstants,
  redeemedDiscountConstants,
} from '../constants.ts';
import { presentCustomer } from '../customer.ts';
import type { DiscountAnswer } from '../discounts/discount-answer.ts';
import { percent } from '../percent.ts';
import { presentDisputeSummary } from './dispute.ts';
import type { PaymentAnswer } from './payment-answer.ts';
import { presentRefundItem } from './refund.ts';

type Listed = Omit<PaymentAnswer<'PaymentListItem'>, 'has_license_key' | 'dispute_status'>;

/** The fields that a payment has both in a list and in its own answer. */
const common = (site: Site, payment: PaymentRow | Payment): Listed => ({
  payment_id: payment.id,
  brand_id: payment.brandId,
  created_at: payment.createdAt,
  currency: payment.currency,
  metadata: payment.metadata,
  status: 'lines' in payment ? chargeStatusOf(payment) : payment.status,
  total_amount: payment.gross,
  customer: presentCustomer(payment.customer),
  ...providerConstants,
  processor: payment.processor,
  payment_method: payment.method ?? 'card',
  payment_method_type: (payment.method ?? 'card') === 'card' ? 'credit' : null,
  card_last_four: payment.card?.lastFour ?? null,
  card_network: payment.card?.network ?? null,
  refund_status: refundStatus(payment),
  invoice_id: payment.status === 'succeeded' ? invoiceIdOf(payment.id) : null,
  invoice_url:
    payment.status === 'succeeded'
      ? documentUrl(site, { paymentId: payment.id, documentSecret: payment.documentSecret })
      : null,
  ...paymentConstants,
});

/** More data of the card, which is not in a list. */
function cardFields({ card, cardDetails }: Pick<Payment, 'card' | 'cardDetails'>) {
  const { expiry = null, funding = null, check = null } = cardDetails ?? {};
  const [month = null, year = null] = expiry?.split('/') ?? [];
  const [flow = null, status = null, version = null] = check ?? [];
  return {
    card_issuing_country: card?.country ?? null,
    card_type: card ? (funding ?? 'credit') : null,
    card_exp_month: month,
    card_exp_year: year,
    three_ds_flow: flow,
    three_ds_status: status,
    three_ds_version: version,
  };
}

/**
 * A payment in a list. The session's id is shown only to some keys, because it opens the page with the buyer's entries.
 */
export const presentPaymentItem =
  (site: Site, { showsSession }: { showsSession: boolean }) =>
  (payment: PaymentRow): PaymentAnswer<'PaymentListItem'> => ({
    ...common(site, payment),
    ...(showsSession && { checkout_session_id: payment.sessionId ?? null }),
    has_license_key: false,
    dispute_status: payment.disputeStatus ? `dispute_${payment.disputeStatus}` : null,
  });

export const presentPayment =
  (site: Site) =>
  (payment: Payment): PaymentAnswer<'Payment'> => ({
    ...common(site, payment),
    business_id: site.businessId,
    updated_at: payment.updatedAt,
    tax: payment.tax,
    billing: payment.billing,
    ...cardFields(payment),
    refunds: payment.refunds.map((refund) =>
      presentRefundItem(site)({ ...refund, paymentId: payment.id, currency: payment.currency }),
    ),
    refundable_amount: payment.status === 'succeeded' ? payment.refundable : 0,
    error_code: payment.errorCode,
    error_message: payment.errorMessage,
    checkout_session_id: payment.sessionId,
    payment_link: `${site.publicUrl}/checkout/${payment.sessionId}`,
    product_cart: payment.lines.map((line) => ({ product_id: line.productId, quantity: line.quantity })),
    settlement_amount: payment.gross,
    settlement_currency: payment.currency,
    settlement_tax: payment.tax,
    disputes: payment.disputes.map((dispute) =>
      presentDisputeSummary(site)({ ...dispute, paymentId: payment.id, currency: payment.currency }),
    ),
    ...discountFields(site, payment),
    ...warningFields(payment),
    ...correctedFields(site, payment),
    ...onePaymentConstants,
  });

/** The invoice that holds now, if a corrected one has replaced the first. */
function correctedFields(site: Site, payment: Payment) {
  const refundId = correctingRefundIdOf(payment);
  if (refundId === undefined) return {};
  const { id: paymentId, documentSecret } = payment;
  return {
    current_invoice_id: correctedInvoiceIdOf(refundId),
    current_invoice_url: documentUrl(site, { paymentId, refundId, kind: 'INV', documentSecret }),
  };
}

function warningFields({ fraudWarning }: Payment): Pick<PaymentAnswer<'Payment'>, 'early_fraud_warning'> {
  if (!fraudWarning) return {};
  const { reference, kind, isActionable, createdAt } = fraudWarning;
  const told = { processor_reference: reference, fraud_type: kind, is_actionable: isActionable, created_at: createdAt };
  return { early_fraud_warning: told };
}

/**
 * The codes that were redeemed, with their terms at that time. Metadata of a code is only in the answer about the code.
 */
function discountFields(site: Site, { discounts }: Pick<Payment, 'discounts'>) {
  if (discounts === undefined) return { discount_id: null, discounts: null };
  return {
    discount_id: discounts[0]?.id ?? null,
    discounts: discounts.map(
      (discount, position): DiscountAnswer<'RedeemedDiscount'> => ({
        discount_id: discount.id,
        business_id: site.businessId,
        type: discount.type,
        amount: discount.amount,
        code: discount.code,
        name: discount.name,
        position,
        restricted_to: discount.restrictedTo,
        times_used: discount.timesUsed,
        usage_limit: discount.usageLimit,
        expires_at: discount.expiresAt,
        created_at: discount.createdAt,
        ...redeemedDiscountConstants,
        discount_amount: discount.taken,
      }),
    ),
    discount_amount: discounts.reduce((total, { taken }) => total + taken, 0),
  };
}

/**
 * A payment with the buyer's next step and the link of the order page. Only keys with write access see these two. With
 * them, anyone can pay, or download what was bought.
 */
export const presentPaymentToWriters =
  (site: Site) =>
  (payment: Payment, orderUrl: string | undefined): PaymentAnswer<'Payment'> => ({
    ...presentPayment(site)(payment),
    ...presentNextAction(payment),
    ...(orderUrl === undefined ? {} : { order_url: orderUrl }),
  });

/** The address where the buyer continues to pay, while the payment is open at the processor. */
export const presentNextAction = ({ payAt }: Pick<Payment, 'payAt'>): { next_action?: CheckoutAnswer<'NextAction'> } =>
  payAt ? { next_action: { type: 'redirect', url: payAt.url, expires_at: payAt.until } } : {};

export const presentLineItems = (payment: Payment): PaymentAnswer<'LineItems'> => ({
  currency: payment.currency,
  items: payment.lines.map((line) => presentLine(line, payment.status === 'succeeded')),
  ...lineItemsConstants,
});

/**
 * A line of a payment. Before the payment has succeeded, nothing can be refunded, although the counter `refundable` is
 * already set.
 */
function presentLine(line: PaymentLine, isPaid: boolean): PaymentAnswer<'LineItem'> {
  return {
    items_id: line.productId,
    name: line.name,
    description: line.description,
    amount: line.gross,
    tax: line.tax,
    refundable_amount: isPaid ? line.refundable : 0,
    quantity: line.quantity,
    unit_amount: line.unitAmount,
    ...(line.discount === undefined ? {} : { discount_amount: line.discount }),
    net_amount: line.net,
    tax_rate: sumOfRates(line.components),
    tax_category: line.taxCategory,
    tax_inclusive: line.taxInclusive,
    tax_components: line.components.map(({ name, rate, amount, reason }) => ({
      name,
      rate: percent(rate),
      amount,
      reason,
    })),
  };
}

/** The sum of the rates of a line, as a percentage: 9 % and 9 % give 18. */
export function sumOfRates(components: readonly { rate: string | null; reason: string | null }[]): number {
  const millionths = components
    .filter(({ rate, reason }) => rate !== null && reason === null)
    .map(({ rate }) => Math.round(Number(rate) * 1_000_000));
  return millionths.reduce((total, rate) => total + rate, 0) / 10_000;
}
