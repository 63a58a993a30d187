import { beforeEach, expect, it } from 'vitest';
import type { ApiClient } from '../../../infra/local/demo/api-client.ts';
import { offerDemoTerms, openDemoCheckouts, openWithCode, registerReceiver } from '../../../infra/local/demo/seed.ts';

interface Stored {
  products: { product_id: string; name: string }[];
  webhooks: { id: string; url: string; description: string }[];
  codes: { code: string }[];
  prices: { currency: string }[];
}

/** As much of the API as seeding calls. */
function fakeApi({ products, webhooks, codes, prices }: Stored): ApiClient {
  const create = {
    '/products': (body: object) => {
      products.push({ product_id: `pdt_${products.length}`, ...(body as { name: string }) });
      return products.at(-1);
    },
    '/discounts': (body: object) => codes.push(body as { code: string }),
    '/products/pdt_0/localized-prices': (body: object) => prices.push(body as { currency: string }),
    '/checkouts': (body: object) => ({ checkout_url: `/checkout/${JSON.stringify(body)}` }),
    '/webhooks': (body: object) => {
      webhooks.push({ id: `whk_${webhooks.length}`, ...(body as { url: string; description: string }) });
      return webhooks.at(-1);
    },
  };
  return {
    get: async (path) => {
      if (path.startsWith('/discounts')) return { items: codes };
      if (path.endsWith('/localized-prices')) return { items: prices };
      if (path === '/products/pdt_0') return products[0];
      if (path.startsWith('/products')) return { items: products };
      return path.endsWith('/secret') ? { secret: `whsec_of ${path}` } : { data: webhooks };
    },
    post: async (path, body) => create[path as keyof typeof create](body),
    patch: async () => ({}),
    delete: async (path) => {
      webhooks.splice(
        webhooks.findIndex(({ id }) => path === `/webhooks/${id}`),
        1,
      );
      return {};
    },
  };
}

let stored: Stored;
beforeEach(() => {
  stored = { products: [], webhooks: [], codes: [], prices: [] };
});

it('the seed creates the two demo products once, and a new checkout of each on every run', async () => {
  const first = await openDemoCheckouts(fakeApi(stored));
  const second = await openDemoCheckouts(fakeApi(stored));
  expect(stored.products.map(({ name }) => name)).toEqual(['Field Guide (e-book)', 'Support our work']);
  expect(second).toEqual(first);
  expect(first.map(({ url }) => url)).toEqual([
    '/checkout/{"product_cart":[{"product_id":"pdt_0","quantity":1}]}',
    '/checkout/{"product_cart":[{"product_id":"pdt_1","quantity":1}]}',
  ]);
});

it('the seed creates one discount code and one price in dollars once, and a checkout with the code', async () => {
  const checkouts = await openDemoCheckouts(fakeApi(stored));
  await offerDemoTerms(fakeApi(stored), checkouts);
  await offerDemoTerms(fakeApi(stored), checkouts);
  expect([stored.codes, stored.prices]).toEqual([
    [{ type: 'percentage', amount: 1_000, code: 'WELCOME10' }],
    [{ amount: 2_199, currency: 'USD' }],
  ]);
  const [first] = checkouts;
  const { url } = await openWithCode(fakeApi(stored), first!);
  expect(url).toBe('/checkout/{"product_cart":[{"product_id":"pdt_0","quantity":1}],"discount_codes":["WELCOME10"]}');
});

it('the seed does not change the refund terms of a product from an older sandbox', async () => {
  const checkouts = await openDemoCheckouts(fakeApi(stored));
  stored.products[0] = { product_id: 'pdt_0', name: 'Field Guide (e-book)' };
  await offerDemoTerms(fakeApi(stored), checkouts);
  expect(stored.prices).toEqual([]);
});

it('the seed replaces the receiver of the last run, and does not change other endpoints', async () => {
  stored.webhooks.push({ id: 'whk_mine', url: 'https://example.com', description: 'mine' });
  await registerReceiver(fakeApi(stored), 'http://127.0.0.1:1');
  const secret = await registerReceiver(fakeApi(stored), 'http://127.0.0.1:2');
  expect(stored.webhooks.map(({ url }) => url)).toEqual(['https://example.com', 'http://127.0.0.1:2']);
  expect(secret).toBe(`whsec_of /webhooks/${stored.webhooks[1]?.id}/secret`);
});
