import * as z from 'zod';
import { chargeStatuses } from '../../domain/checkout/checkout-session.ts';
import type { PaymentBrief } from '../../domain/payments/payment-row.ts';
import { createdFields, type ListTerms, onePaging, pageFields } from '../page.ts';
import { idOf, PaidCurrencyCode } from '../values.ts';
import { withCode } from '../with-code.ts';

const emitted = chargeStatuses;
/** Statuses of the API that never occur here, so they match nothing. */
const foreign = [
  'requires_merchant_action',
  'requires_payment_method',
  'requires_confirmation',
  'requires_capture',
  'partially_captured',
  'partially_captured_and_capturable',
] as const;

/** The parameters that find payments by a key or an index. A request can have only one of them. */
const places = ['customer_id', 'customer_email', 'checkout_session_id', 'invoice_number'] as const;

const PlainQuery = onePaging(
  z.strictObject({
    ...pageFields,
    ...createdFields,
    status: z.enum([...emitted, ...foreign]).optional(),
    customer_id: idOf('cus').optional(),
    customer_email: z.string().max(254).optional(),
    checkout_session_id: idOf('cks').optional(),
    invoice_number: z
      .string()
      .regex(/^INV-\d{4}-\d{6,9}$/, 'must be the number of an invoice, such as INV-2026-000042')
      .optional(),
    brand_id: idOf('brnd').optional(),
    product_id: idOf('pdt').optional(),
    discount_id: idOf('dsc').optional(),
    currency: PaidCurrencyCode.optional(),
    subscription_id: z.string().max(100).optional(),
  }),
);

export const PaymentQuery = places.reduce(
  (schema, place, index) =>
    schema.refine((query) => query[place] === undefined || places.slice(0, index).every((one) => !query[one]), {
      ...withCode('INVALID_QUERY_PARAMS', `cannot be combined with ${places.slice(0, index).join(', ')}`),
      path: [place],
    }),
  PlainQuery,
);

/** Whether a filter cannot match anything here. Then no search is needed. */
export const asksInVain = ({ subscription_id: subscriptionId, status }: z.output<typeof PaymentQuery>): boolean =>
  subscriptionId !== undefined || foreign.some((one) => one === status);

/** Whether a payment matches the filters that the index cannot apply. The index applies only time and customer. */
export const matchesPayment =
  (query: z.output<typeof PaymentQuery>) =>
  (row: PaymentBrief): boolean =>
    (!query.status || row.status === query.status) &&
    (!query.currency || row.currency === query.currency) &&
    (!query.brand_id || row.brandId === query.brand_id) &&
    (!query.discount_id || (row.discountIds?.includes(query.discount_id) ?? false)) &&
    (!query.product_id || row.productIds.includes(query.product_id));

/** The filters that make a search for payments smaller. The metadata of one payment can have 100 kB. */
export const paymentTerms: ListTerms = {
  narrowedBy: ['created_at_gte', 'created_at_lte', 'customer_id'],
  mostItemBytes: 112_500,
};
