import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

const { API_URL: baseUrl = '', API_KEY: key = '' } = process.env;
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

type Problem = components['schemas']['Problem'];

/** The answer, or the refusal as an error. */
function done<Data>({ data, error }: { data?: Data; error?: unknown }): NonNullable<Data> {
  if (data) return data;
  throw new Error(`${(error as Problem).code}: ${(error as Problem).message}`);
}

const product = done(
  await api.POST('/products', {
    body: {
      name: 'Star Atlas',
      description: 'All stars that a pair of binoculars shows.',
      tax_category: 'e_book',
      price: { type: 'one_time_price', currency: 'EUR', price: 2_400, tax_inclusive: true },
    },
  }),
);
const session = done(
  await api.POST('/checkouts', {
    body: { product_cart: [{ product_id: product.product_id, quantity: 1 }] },
  }),
);
const charge = done(
  await api.POST('/checkout/{id}/pay', {
    params: { path: { id: session.session_id } },
    body: {
      customer: { email: 'ada@example.com', name: 'Ada Buyer' },
      billing_address: { country: 'DE' },
      test_card: '4242',
      expected_total: 2_400,
    },
  }),
);
const refund = done(
  await api.POST('/refunds', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { payment_id: charge.payment_id, amount: 1_000 },
  }),
);
const payment = done(await api.GET('/payments/{payment_id}', { params: { path: { payment_id: charge.payment_id } } }));
console.log(
  JSON.stringify({
    paid: charge.status,
    total: payment.total_amount,
    refunded: refund.amount,
    left: payment.refundable_amount,
  }),
);
