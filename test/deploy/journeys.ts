import { brotliDecompressSync } from 'node:zlib';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { script } from '../../shared/pages/assets/asset.ts';
import type { Api, ApiAnswer } from '../support/shop/api.ts';

type Shop = Pick<Api, 'call'>;

/** Runs a named step. The caller decides what is measured. */
export type Step = <Result>(name: string, act: () => Promise<Result>) => Promise<Result>;

/** What a sale leaves to the workers. */
export interface SoldBook {
  paymentId: string;
  event: { 'detail-type': string; detail: { event_id: string; payment_id: string; data: object } };
}

const buyer = { email: 'buyer@example.com', name: 'A Buyer' };

interface Visit {
  product: string;
  /** Tells one checkout from another. */
  round: number;
}

async function open({ call }: Shop, { product, round }: Visit, step: Step): Promise<string> {
  const body = { product_cart: [{ product_id: product, quantity: 1 }] };
  const headers = { 'idempotency-key': `order ${round}` };
  const { body: session } = await step('the integrator opens a session', () =>
    call('POST /checkouts', { body, headers }),
  );
  return `/checkout/${session.session_id}`;
}

async function lastSale({ call }: Shop): Promise<SoldBook> {
  const { body: events } = await call('GET /webhook-events');
  const { event_id, payment_id, type } = events.items[0];
  return { paymentId: payment_id, event: { 'detail-type': type, detail: { event_id, payment_id, data: {} } } };
}

const browser = { 'accept-encoding': 'gzip, deflate, br', 'sec-fetch-site': 'same-origin' };
const scripted = { ...browser, 'hx-request': 'true' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const hidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

const markupOf = ({ text }: ApiAnswer): string => brotliDecompressSync(Buffer.from(text, 'base64')).toString('utf8');

/** A checkout by its pages as a browser asks for them, each once, from the integrator's call to the receipt. */
export async function walkPages(shop: Shop, visit: Visit, step: Step): Promise<SoldBook> {
  const { call } = shop;
  const path = await open(shop, visit, step);
  const page = await step('the page', () => call(`GET ${path}`, { key: null, headers: browser }));
  await step('its script, once', () => call(`GET /assets/${script.name}`, { key: null, headers: browser }));
  const fields = { ...buyer, token: hidden(markupOf(page), 'token'), country: 'DE', card: '4242424242424242' };
  const raw = Buffer.from(String(new URLSearchParams(fields)));
  const priced = await step('a total for the buyer’s place', () =>
    call(`POST ${path}/quote`, { raw, key: null, headers: { ...scripted, ...form } }),
  );
  const total = hidden(markupOf(priced), 'expected_total');
  const filled = Buffer.from(`${raw}&expected_total=${total}`);
  await step('the payment', () =>
    call(`POST ${path}/pay`, { raw: filled, key: null, headers: { ...browser, ...form } }),
  );
  const sold = await lastSale(shop);
  const cookies = [`buyer=${sold.paymentId}`];
  await step('the receipt', () => call(`GET ${path}`, { key: null, cookies, headers: browser }));
  return sold;
}

/** A checkout by API: opened and paid by JSON, without a page. */
export async function walkApi(shop: Shop, visit: Visit, step: Step): Promise<SoldBook> {
  const path = await open(shop, visit, step);
  const body = { customer: buyer, billing_address: { country: 'DE' }, test_card: '4242', expected_total: 1_999 };
  await step('the payment', () => shop.call(`POST ${path}/pay`, { body, key: null }));
  return lastSale(shop);
}

/** The webhooks of several sales, as an entry of the bus hands them over. */
export const deliverWebhooks = (sold: readonly SoldBook[]): Promise<unknown> =>
  invokeFunction('webhooks/dispatch-webhook', {
    detail: { ...sold[0]?.event.detail, more: sold.slice(1).map(({ event }) => event.detail) },
  });

/** The invoices of several sales, as their queue hands them over. */
export async function issueInvoices(sold: readonly SoldBook[]): Promise<void> {
  const Records = sold.map(({ event, paymentId }) => ({ messageId: paymentId, body: JSON.stringify(event) }));
  const answer = await invokeFunction('documents/issue-documents', { Records });
  const { batchItemFailures = [] } = answer as { batchItemFailures?: object[] };
  if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} invoices were not issued.`);
}
