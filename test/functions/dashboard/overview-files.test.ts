import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, pay, sell, support } from '../../support/shop/shop.ts';

let api: Api;
let cookies: string[];
let open: string;
beforeAll(async () => {
  clock.stopAt('2026-03-10T12:00:00.000Z');
  api = await startApi();
  const billing = { country: 'SE', state: null, city: null, street: null, zipcode: null };
  const key = { name: 'Key', integration_type: 'license_key', integration_config: {} };
  const { body: keys } = await api.call('POST /entitlements', { body: key });
  await sell(api);
  const book = await addProduct(api, { entitlements: [{ entitlement_id: keys.id }] });
  await pay(await createSession(api, [{ product_id: book, quantity: 1 }]), { expectedTotal: 1_999, billing });
  open = await addProduct(api, support);
  const cart = [{ product_id: open, quantity: 1, amount: 2_000 }];
  await pay(await createSession(api, cart), { expectedTotal: 2_000 });
  ({ cookies } = await browse(api, await api.addKey({ access: 'read' })));
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

const overview = (query: string) => api.call('GET /dashboard', { cookies, key: null, query });

const rowsOf = async (chart: string): Promise<string[]> => {
  const { headers, text } = await overview(`period=7&chart=${chart}&format=csv`);
  expect(headers['content-disposition']).toBe(`attachment; filename="${chart}-2026-03-04-2026-03-10.csv"`);
  return text.trim().split('\r\n').slice(1);
};

describe('the overview', () => {
  it('lists the sales by country, without tax', async () => {
    const { text } = await overview('period=7');
    const [, card = ''] = /id="countries-title">(.*?)<\/section>/s.exec(text) ?? [];
    // Germany: 1,868 of the book, and 2,000 / 1.19 = 1,681; Sweden: 1,999 / 1.06 = 1,886
    expect(card.replace(/<[^>]*>/g, ' ')).toMatch(/Germany\s+2\s+€35\.49.*Sweden\s+1\s+€18\.86/s);
  });

  it('has a file behind each chart', async () => {
    expect((await rowsOf('revenue')).filter((row) => !row.endsWith('0.00,0.00'))).toEqual([
      '2026-03-10,2026-03-10,EUR,54.35,5.63',
    ]);
    expect((await rowsOf('countries')).map((row) => row.split(',').slice(0, 4))).toEqual([
      ['DE', '2', 'EUR', '35.49'],
      ['SE', '1', 'EUR', '18.86'],
    ]);
    expect((await rowsOf('products')).map((row) => row.split(',').slice(-2))).toEqual([
      ['20.00', '0.00'],
      ['19.99', '0.00'],
      ['19.99', '0.00'],
    ]);
    expect(await rowsOf('given')).toEqual(['license_key,1,0']);
    expect(await rowsOf('chosen')).toContain(`${open},Support our work,EUR,20.00,1`);
  });

  it('links to each file', async () => {
    const { text } = await overview('period=7');
    const charts = [...text.matchAll(/chart=(\w+)&amp;format=csv/g)].map(([, chart]) => chart);
    expect(charts.sort()).toEqual(['chosen', 'countries', 'given', 'products', 'revenue']);
  });
});
