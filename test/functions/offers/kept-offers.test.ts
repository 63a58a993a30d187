import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { measureItem } from '../../../infra/local-aws/table/values/value-size.ts';
import { currentOffer, offerVersionOf } from '../../../shared/domain/catalogue/offer.ts';
import { dayMs } from '../../../shared/domain/duration.ts';
import { keys } from '../../../shared/store/keys.ts';
import { findItem } from '../../../shared/store/table/read.ts';
import { countries } from '../../../shared/tax/places/countries.ts';
import { products, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession, support } from '../../support/shop/shop.ts';
import { watchWrites } from '../../support/table/rows.ts';
import { sendThrough } from '../../support/table/send-through.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => clock.run());
afterAll(() => api.stop());

/** All countries but Germany, those first that the tests sell to. */
const places = ['FR', 'AT', 'PL', ...countries.filter((one) => !['FR', 'AT', 'PL', 'DE'].includes(one))];
const noon = '2031-03-01T12:00:00.000Z';

/** A product at 19.99 with prices for the first places, from 10.00 on. */
async function withPlaces(count: number): Promise<string> {
  const id = await addProduct(api, { pricing_mode: 'by_country' });
  const localizedPrices = times(count).map((index) => ({
    ...{ id: `lcp_${index}`, currency: 'EUR', countryCode: places[index] as string, amount: 1_000 + index },
    ...{ taxInclusive: null, suggested: null, maximum: null, presetAmounts: null, minimumNet: null },
    ...{ createdAt: noon, updatedAt: noon },
  }));
  await products().save({ ...(await products().get(id)), localizedPrices }, []);
  return id;
}

const opened = (...ids: string[]) =>
  createSession(
    api,
    ids.map((product_id) => ({ product_id, quantity: 1 })),
  );
const quoteIn = async (id: string, country: string): Promise<unknown> => {
  const body = { billing_address: { country } };
  return (await api.call(`POST /checkout/${id}/quote`, { key: null, body })).body.total_amount;
};

/** The row that keeps what a product costs now. */
async function rowOf(productId: string) {
  const offer = currentOffer(await products().get(productId));
  return findItem(table(), keys.offer(productId, offer ? offerVersionOf(offer) : ''));
}
const bytesOf = (row: unknown): number =>
  measureItem(marshall(row as object, { removeUndefinedValues: true }) as never);

describe('the stored localized prices of an open checkout', () => {
  it('of twenty products with a hundred prices each hardly enlarge the checkout’s row', async () => {
    const ids = await Promise.all(times(20).map(() => withPlaces(100)));
    const plain = await Promise.all(times(20).map(() => addProduct(api)));
    const [id, other] = [await opened(...ids), await opened(...plain)];
    const bytes = await Promise.all(
      [id, other].map(async (one) => bytesOf(await findItem(table(), keys.session(one)))),
    );
    // a name of 22 letters for each line, and the market
    expect((bytes[0] ?? 0) - (bytes[1] ?? 0)).toBeLessThan(20 * 40 + 100);
    expect(bytesOf(await rowOf(ids[0] ?? ''))).toBeLessThan(4_000);
    const all = await Promise.all(ids.map((one) => products().get(one)));
    for (const product of all) await products().save({ ...product, localizedPrices: [] }, []);
    for (const index of [0, 1, 2, 0]) expect(await quoteIn(id, places[index] ?? '')).toBe(20 * (1_000 + index));
    expect(await quoteIn(id, 'DE')).toBe(20 * 1_999);
  });

  it('are one row for all checkouts of a product, and the row outlives each checkout', async () => {
    clock.stopAt(noon);
    const product = await withPlaces(2);
    const writes = watchWrites(table().client);
    for (const _ of times(5)) await opened(product);
    expect(writes.filter(([entity]) => entity === 'OFFER')).toHaveLength(1);
    for (const day of times(90)) {
      clock.stopAt(new Date(Date.parse(noon) + day * dayMs).toISOString());
      const { expiresAt } = await sessions().get(await opened(product));
      expect(Number((await rowOf(product))?.['ttl']) * 1_000).toBeGreaterThan(Date.parse(expiresAt));
    }
    // every 28 days, and not with each checkout
    expect(writes.filter(([entity]) => entity === 'OFFER')).toHaveLength(4);
  });

  it('are written before the checkout, so a crash leaves no checkout without its prices', async () => {
    const product = await withPlaces(2);
    const writes = watchWrites(table().client);
    await opened(product);
    expect(writes).toEqual([['OFFER'], ['SESSION']]);
    const other = await withPlaces(2);
    const restore = sendThrough(table().client, (send) => (command) => {
      if ((command.input['Item'] as { entity?: string } | undefined)?.entity === 'OFFER') throw new Error('dead');
      return send(command);
    });
    const before = (await api.call('POST /checkouts', { body: { product_cart: [{ product_id: other, quantity: 1 }] } }))
      .status;
    restore();
    expect([before, writes.filter(([entity]) => entity === 'SESSION').length]).toEqual([500, 1]);
  });

  it('are not written for products without localized prices or when the amount is fixed', async () => {
    const gift = await addProduct(api, { ...support, pricing_mode: 'by_country' });
    const body = { country_code: 'FR', currency: 'EUR', amount: 9_000 };
    await api.call(`POST /products/${gift}/localized-prices`, { body });
    const writes = watchWrites(table().client);
    await opened(await addProduct(api));
    await createSession(api, [{ product_id: gift, quantity: 1, amount: 500 }]);
    expect(writes.filter(([entity]) => entity === 'OFFER')).toEqual([]);
  });

  it('are not replaced by today’s prices if their row is lost: the checkout then refuses other countries', async () => {
    const product = await withPlaces(2);
    const id = await opened(product);
    const { lines, ...session } = await sessions().get(id);
    await sessions().save({ ...session, lines: lines.map((line) => ({ ...line, offer: 'lost' })) });
    const { status } = await api.call(`POST /checkout/${id}/quote`, {
      key: null,
      body: { billing_address: { country: places[0] } },
    });
    expect(status).toBe(500);
  });
});
