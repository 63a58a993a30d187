import type { BillingAddress } from '../../../shared/domain/checkout/buyer.ts';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { payCheckout } from '../../../shared/use-cases/checkout/pay-checkout.ts';
import { eligibility, loadCodes } from '../../../shared/wiring/discounts.ts';
import { checkTaxId } from '../../../shared/wiring/registers.ts';
import { countedPayments, newId, now, sessions, throttles } from '../../../shared/wiring/runtime.ts';
import { processor, taxSettings } from '../../../shared/wiring/selling.ts';
import type { Api } from './api.ts';

/** The body of `POST /products` for an e-book at 19.99, tax included. */
export const fieldGuide = {
  name: 'Field Guide (e-book)',
  description: 'An example product.',
  price: { type: 'one_time_price', currency: 'EUR', price: 1_999, tax_inclusive: true },
  tax_category: 'e_book',
};

/** A product whose buyers choose the price: at least 5.00, 15.00 suggested. */
export const support = {
  name: 'Support our work',
  description: 'An example product.',
  price: {
    type: 'one_time_price',
    currency: 'EUR',
    price: 500,
    pay_what_you_want: true,
    suggested_price: 1_500,
    tax_inclusive: true,
  },
  tax_category: 'digital_products',
};

export async function addProduct(api: Pick<Api, 'call'>, fields: object = {}): Promise<string> {
  const { body } = await api.call('POST /products', { body: { ...fieldGuide, ...fields } });
  return body.product_id;
}

export async function createSession(api: Api, cart: object[], fields: object = {}): Promise<string> {
  const { body } = await api.call('POST /checkouts', { body: { product_cart: cart, ...fields } });
  return body.session_id;
}

export const goodCard = '4242424242424242';

/** A business has an address on its invoice. */
const addressed = (billing: BillingAddress): BillingAddress => ({
  ...billing,
  street: billing.street ?? '1 Main Street',
  city: billing.city ?? 'Newtown',
});

/** Sends the request of the page's pay button, without the page. */
export async function pay(sessionId: string, asked: Partial<Submission> & Pick<Submission, 'expectedTotal'>) {
  const deps = {
    sessions: sessions(),
    payments: countedPayments(),
    processor: processor(),
    assertConnected: async () => {},
    checkTaxId,
    loadCodes,
    eligibility,
    taxSettings,
    alert: () => {},
    throttles: throttles(),
    merchantId: 'demo',
    now,
    newId,
  };
  const [session, settings] = await Promise.all([deps.sessions.get(sessionId), taxSettings()]);
  const billing = { country: 'DE', state: null, city: null, street: null, zipcode: null };
  const submission = {
    amounts: new Map(),
    email: 'buyer@example.com',
    name: 'A Buyer',
    taxId: null,
    businessName: null,
    language: null,
    card: goodCard,
    ...asked,
    billing: asked.taxId ? addressed(asked.billing ?? billing) : (asked.billing ?? billing),
  };
  return payCheckout(deps, { session, settings }, submission);
}

/** A field guide sold in Germany: 19.99 including 7 % tax. */
export async function sell(
  api: Api,
  asked: Partial<Submission> = {},
): Promise<{ paymentId: string; productId: string }> {
  const productId = await addProduct(api);
  const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const payment = await pay(sessionId, { expectedTotal: 1_999, ...asked });
  return { paymentId: payment.id, productId };
}
