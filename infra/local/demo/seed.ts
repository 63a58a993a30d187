import * as z from 'zod';
import type { ApiClient } from './api-client.ts';

/** The products of the sandbox: one with a price that includes tax, and one whose price the buyer chooses. */
const demoProducts = [
  {
    label: 'EUR 19.99, tax included',
    product: {
      name: 'Field Guide (e-book)',
      description: 'Birds of the northern forests, with two hundred drawings.',
      tax_category: 'e_book',
      pricing_mode: 'by_currency',
      price: { type: 'one_time_price', currency: 'EUR', price: 1999, tax_inclusive: true },
    },
  },
  {
    label: 'pay what you want, EUR 5.00 or more',
    product: {
      name: 'Support our work',
      description: 'Keeps the drawings coming.',
      tax_category: 'digital_products',
      price: {
        type: 'one_time_price',
        currency: 'EUR',
        price: 500,
        pay_what_you_want: true,
        suggested_price: 1500,
        tax_inclusive: true,
      },
    },
  },
] as const;

type DemoProduct = (typeof demoProducts)[number];

/** A checkout page to open in a browser. */
export interface DemoCheckout {
  name: string;
  label: string;
  productId: string;
  url: string;
}

/** A discount code for the checkout: 10 % off. */
export const demoCode = 'WELCOME10';

/** The price of the first product for buyers who pay in dollars. It is a fixed price and is not converted. */
const demoDollars = { amount: 2_199, currency: 'USD' };

const Product = z.object({ product_id: z.string() });
const ProductPage = z.object({ items: z.array(Product.extend({ name: z.string().nullable() })) });
const Session = z.object({ checkout_url: z.string() });
const Webhook = z.object({ id: z.string(), description: z.string().nullish() });
const WebhookPage = z.object({ data: z.array(Webhook) });
const Secret = z.object({ secret: z.string() });

async function findOrCreate(api: ApiClient, { product }: DemoProduct): Promise<string> {
  const { items } = ProductPage.parse(await api.get('/products?page_size=100'));
  const existing = items.find(({ name }) => name === product.name);
  return (existing ?? Product.parse(await api.post('/products', product))).product_id;
}

async function openCheckout(api: ApiClient, demo: DemoProduct): Promise<DemoCheckout> {
  const productId = await findOrCreate(api, demo);
  const cart = { product_cart: [{ product_id: productId, quantity: 1 }] };
  const { checkout_url: url } = Session.parse(await api.post('/checkouts', cart));
  return { name: demo.product.name, label: demo.label, productId, url };
}

/** Creates the demo products if they do not exist, and returns their ids. */
export async function createDemoProducts(api: ApiClient): Promise<string[]> {
  const ids: string[] = [];
  for (const demo of demoProducts) ids.push(await findOrCreate(api, demo));
  return ids;
}

/** Creates the demo products if they do not exist, and opens a checkout for each. */
export async function openDemoCheckouts(api: ApiClient): Promise<DemoCheckout[]> {
  const checkouts: DemoCheckout[] = [];
  for (const demo of demoProducts) checkouts.push(await openCheckout(api, demo));
  return checkouts;
}

const Codes = z.object({ items: z.array(z.object({ code: z.string() })) });
const Priced = z.object({ pricing_mode: z.string().nullish() });
const Prices = z.object({ items: z.array(z.unknown()) });

/** Creates a discount code and the first product's price in dollars, if they do not exist. */
export async function offerDemoTerms(
  api: ApiClient,
  [first]: readonly Pick<DemoCheckout, 'productId'>[],
): Promise<void> {
  const { items: codes } = Codes.parse(await api.get(`/discounts?code=${demoCode}`));
  if (codes.length === 0) await api.post('/discounts', { type: 'percentage', amount: 1_000, code: demoCode });
  if (!first) return;
  const path = `/products/${first.productId}`;
  const { pricing_mode: mode } = Priced.parse(await api.get(path));
  const { items: prices } = Prices.parse(await api.get(`${path}/localized-prices`));
  if (mode === 'by_currency' && prices.length === 0) await api.post(`${path}/localized-prices`, demoDollars);
}

/** A checkout of the same product with the discount code. */
export async function openWithCode(api: ApiClient, checkout: DemoCheckout): Promise<DemoCheckout> {
  const product_cart = [{ product_id: checkout.productId, quantity: 1 }];
  const { checkout_url: url } = Session.parse(
    await api.post('/checkouts', { product_cart, discount_codes: [demoCode] }),
  );
  return { ...checkout, name: `${checkout.name} with the code ${demoCode}`, url };
}

const ours = 'The receiver of the local sandbox';

/** Registers a receiver, and removes receivers of earlier runs. Returns its signing secret. */
export async function registerReceiver(api: ApiClient, url: string): Promise<string> {
  const { data } = WebhookPage.parse(await api.get('/webhooks?limit=100'));
  for (const old of data.filter(({ description }) => description === ours)) await api.delete(`/webhooks/${old.id}`);
  const { id } = Webhook.parse(await api.post('/webhooks', { url, description: ours }));
  return Secret.parse(await api.get(`/webhooks/${id}/secret`)).secret;
}
