import { expect } from 'vitest';
import { paySession, sessionById } from '../../../infra/local/stripe/checkout.ts';
import { type FakeStripe, type FakeStripeOptions, startFakeStripe } from '../../../infra/local/stripe/fake-stripe.ts';
import { paymentMeansNamed } from '../../../infra/local/stripe/payment-means.ts';
import { type LocalParameters, startParameters } from '../../../infra/local-aws/parameters.ts';
import type { Merchant } from '../../../shared/domain/merchant.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { secretNames, secretsFolder } from '../../../shared/domain/processor.ts';
import { now, payments, sessions } from '../../../shared/wiring/runtime.ts';
import { schemaFaults } from '../stripe-schema/check-exchange.ts';
import { type Api, type ApiAnswer, startApi, testMerchant } from './api.ts';
import { postForm } from './dashboard.ts';
import { addProduct, createSession } from './shop.ts';

/** A shop in the sandbox with the simulated Stripe as its processor. */
export interface StripeShop {
  api: Api;
  fake: FakeStripe;
  parameters: LocalParameters;
  key: string;
  /** Begins a payment of 19.99, or of other products or by another buyer, with the form of the page. */
  begin(order?: Order): Promise<Payment>;
  /** Fills in the form of a new session; `answer` posts it. */
  fill(order?: Order): Promise<Filled>;
  /** The latest payment of a session. */
  paymentOf(sessionId: string): Promise<Payment>;
  /** The answer to the browser that posts the form. */
  post(): Promise<ApiAnswer>;
  /** The buyer pays on Stripe's page. */
  payAt(reference: string, means?: string): void;
  /** Sends a body to the endpoint, signed as Stripe would unless a header is given. */
  notify(body: string | Buffer, signature?: string): Promise<ApiAnswer>;
  stop(): Promise<void>;
}

interface Order {
  productIds?: readonly string[];
  email?: string;
}

interface Filled {
  sessionId: string;
  answer(): Promise<ApiAnswer>;
}

export const shopSigningSecret = 'whsec_ofthisshopasitisnow';
const key = 'rk_test_ofthisshop';

export async function startStripeShop(
  options: FakeStripeOptions = {},
  merchant: Merchant = testMerchant,
): Promise<StripeShop> {
  const parameters = await startParameters();
  const folder = secretsFolder(merchant.id, 'sandbox', 'stripe');
  const names = secretNames(folder);
  parameters.values.set(names.key, key).set(names.signingSecrets, shopSigningSecret);
  const endpoint = { url: 'http://127.0.0.1:9/', secrets: [shopSigningSecret] };
  const fake = await startFakeStripe({ now, key, endpoint, ...options });
  fake.notifies = 'by-hand';
  const faults = new Set<string>();
  fake.answered = (exchange) => {
    for (const fault of schemaFaults(exchange)) faults.add(fault);
  };
  const api = await startApi(merchant, {
    PROCESSOR: 'stripe',
    PROCESSOR_SECRETS: folder,
    PROCESSOR_URL: fake.url,
    AWS_ENDPOINT_URL_SSM: parameters.url,
  });
  return {
    api,
    fake,
    parameters,
    key,
    fill: (order) => fill(api, order),
    paymentOf,
    begin: async (order) => {
      const { sessionId, answer } = await fill(api, order);
      await answer();
      return paymentOf(sessionId);
    },
    post: async () => (await fill(api)).answer(),
    payAt: (reference, means = '4242424242424242') =>
      paySession(fake.account, sessionById(fake.account, reference), paymentMeansNamed(means)),
    notify: (body, signature = fake.notifications.sign(String(body))) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      return api.call('POST /processor/stripe', { raw: Buffer.from(body), headers, key: null });
    },
    stop: async () => {
      expect([...faults], 'what Stripe’s published schema says against requests and answers').toEqual([]);
      await api.stop();
      await fake.stop();
      await parameters.stop();
    },
  };
}

const hiddenField = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

const paymentOf = async (sessionId: string): Promise<Payment> =>
  payments().get((await sessions().get(sessionId)).paymentId ?? '');

async function fill(api: Api, { productIds, email = 'buyer@example.com' }: Order = {}): Promise<Filled> {
  const sold = productIds ?? [await addProduct(api)];
  const cart = sold.map((product_id) => ({ product_id, quantity: 1 }));
  const sessionId = await createSession(api, cart);
  const path = `/checkout/${sessionId}`;
  const token = hiddenField((await api.call(`GET ${path}`, { key: null })).text, 'token');
  const buyer = { token, email, name: 'A Buyer', country: 'DE' };
  const quoted = await postForm(api, `${path}/quote`, buyer, []);
  const filled = { ...buyer, expected_total: hiddenField(quoted.text, 'expected_total') };
  return { sessionId, answer: () => postForm(api, `${path}/pay`, filled, []) };
}
