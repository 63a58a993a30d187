import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { realPace } from '../../shared/use-cases/retry.ts';
import { table } from '../../shared/wiring/runtime.ts';
import { clock } from '../support/clock.ts';
import { compareSales, type ShopModel, someCommand } from '../support/faults/model-of-shop.ts';
import { campaign } from '../support/seeded.ts';
import { type Api, startApi } from '../support/shop/api.ts';
import { booksOf, moneyContradictions, scanRows } from '../support/shop/books.ts';
import { addProduct } from '../support/shop/shop.ts';
import { keepRows } from '../support/table/rows.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
let reset: () => Promise<void>;
beforeAll(async () => {
  api = await startApi();
  reset = await keepRows(api.table);
  vi.spyOn(realPace, 'pause').mockResolvedValue(undefined); // no wait before deciding again
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => {
  clock.run();
  return api.stop();
});

/** A shop with one product, in which nothing has happened yet. */
async function openShop(): Promise<ShopModel> {
  await reset();
  clock.stopAt('2026-03-01T12:00:00Z');
  const { body } = await api.call('POST /webhooks', { body: { url: 'https://shop.example/hook' } });
  const { body: secret } = await api.call(`GET /webhooks/${body.id}/secret`);
  const products = [{ id: await addProduct(api), price: 1_999, isArchived: false }];
  return { products, sessions: [], sales: [], sent: [], endpointId: body.id, secret: secret.secret };
}

describe('the service compared with a model of the correct behaviour', () => {
  it('agrees with the model after every command of every run, and its books balance', async () => {
    const runs = campaign(20_000, 150, 50);
    const counts = { runs: 0, commands: 0, payments: 0, refunds: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(someCommand, { minLength: 30, maxLength: 30 }), async (chosen) => {
        const shop = await openShop();
        await fc.asyncModelRun(() => ({ model: shop, real: api }), chosen);
        await compareSales(shop, api);
        const rows = await scanRows(table().client, table().name);
        expect(await moneyContradictions(rows)).toEqual([]);
        const books = booksOf(rows);
        counts.runs += 1;
        counts.commands += chosen.length;
        counts.payments += books.payments.length;
        counts.refunds += books.refunds.length;
      }),
      { numRuns: runs, seed: 4 },
    );
    console.log(`H4: ${JSON.stringify(counts)}`);
    expect(counts.runs).toBe(runs);
  });
});
