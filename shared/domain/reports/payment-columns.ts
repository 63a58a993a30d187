import { sum } from '../money/money.ts';
import { disputeStandingOf, lostOf, saleStateOf } from '../payments/dispute-standing.ts';
import type { Payment } from '../payments/payment.ts';
import type { Column } from './csv.ts';

const stateOf = (payment: Payment): string => saleStateOf({ ...payment, disputeStanding: disputeStandingOf(payment) });

/** The columns of a file of payments. */
export const exportedPaymentColumns: readonly Column<Payment>[] = [
  { name: 'payment_id', cell: ({ id }) => id },
  { name: 'created_at', cell: ({ createdAt }) => createdAt, isInstant: true },
  { name: 'tax_date', cell: ({ calculation }) => calculation.taxDate },
  { name: 'status', cell: stateOf },
  { name: 'currency', cell: ({ currency }) => currency },
  { name: 'net', cell: ({ net: amount, currency }) => ({ amount, currency }) },
  { name: 'tax', cell: ({ tax: amount, currency }) => ({ amount, currency }) },
  { name: 'total', cell: ({ gross: amount, currency }) => ({ amount, currency }) },
  { name: 'refunded', cell: ({ refunded: amount, currency }) => ({ amount, currency }) },
  { name: 'country', cell: ({ calculation }) => calculation.country },
  { name: 'region', cell: ({ calculation }) => calculation.region },
  { name: 'postal_code', cell: ({ calculation }) => calculation.postalCode },
  { name: 'tax_id', cell: ({ taxId }) => taxId?.id ?? null },
  { name: 'tax_id_status', cell: ({ taxId }) => taxId?.status ?? null },
  { name: 'business_name', cell: ({ businessName }) => businessName },
  { name: 'customer_id', cell: ({ customer }) => customer.id },
  { name: 'customer_email', cell: ({ customer }) => customer.email },
  { name: 'customer_name', cell: ({ customer }) => customer.name },
  { name: 'products', cell: ({ lines }) => lines.map(({ name, quantity }) => `${quantity} × ${name}`).join('; ') },
  { name: 'card_last_four', cell: ({ card }) => card?.lastFour ?? null },
  { name: 'error_code', cell: ({ errorCode }) => errorCode },
  { name: 'brand_id', cell: ({ brandId }) => brandId },
  { name: 'checkout_session_id', cell: ({ sessionId }) => sessionId },
  { name: 'discount_codes', cell: ({ discounts = [] }) => discounts.map(({ code }) => code).join('; ') },
  {
    name: 'discount_amount',
    cell: ({ discounts = [], currency }) => ({ amount: sum(discounts.map(({ taken }) => taken)), currency }),
  },
  { name: 'lost', cell: (payment) => ({ amount: lostOf(payment), currency: payment.currency }) },
];
