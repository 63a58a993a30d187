import { createClient } from './client/client/index.ts';
import { createCheckoutSession, createProduct, createRefund, getPayment, payCheckout } from './client/sdk.gen.ts';

const { API_URL: baseUrl = '', API_KEY: auth = '' } = process.env;
const client = createClient({ baseUrl, auth, throwOnError: true });

const { data: product } = await createProduct({
  client,
  throwOnError: true,
  body: {
    name: 'Star Atlas',
    description: 'All stars that a pair of binoculars shows.',
    tax_category: 'e_book',
    price: { type: 'one_time_price', currency: 'EUR', price: 2_400, tax_inclusive: true },
  },
});
const { data: session } = await createCheckoutSession({
  client,
  throwOnError: true,
  body: { product_cart: [{ product_id: product.product_id, quantity: 1 }] },
});
const { data: charge } = await payCheckout({
  client,
  throwOnError: true,
  path: { id: session.session_id },
  body: {
    customer: { email: 'ada@example.com', name: 'Ada Buyer' },
    billing_address: { country: 'DE' },
    test_card: '4242',
    expected_total: 2_400,
  },
});
const { data: refund } = await createRefund({
  client,
  throwOnError: true,
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: { payment_id: charge.payment_id, amount: 1_000 },
});
const { data: payment } = await getPayment({
  client,
  throwOnError: true,
  path: { payment_id: charge.payment_id },
});
console.log(
  JSON.stringify({
    paid: charge.status,
    total: payment.total_amount,
    refunded: refund.amount,
    left: payment.refundable_amount,
  }),
);
