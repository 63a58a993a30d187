import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { faultsAtRandom, injectFaults } from '../../support/faults/faults-by-plan.ts';
import { dyingAfter, killable } from '../../support/faults/killed.ts';
import { between, seeded, times } from '../../support/seeded.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { booksOf, moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { sendThrough } from '../../support/table/send-through.ts';

let api: Api;
let product: string;
beforeAll(async () => {
  api = await startApi();
  clock.stopAt('2026-03-01T12:00:00.000Z');
  product = await addProduct(api);
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

useShortPauses();

const rowsNow = () => scanRows(table().client, table().name);

describe('fifty buyers at once, whose functions crash and whose table fails', () => {
  it.each([1, 2, 3])('use a code with a limit of seven exactly seven times: seed %i', async (seed) => {
    const random = seeded(seed);
    const terms = { type: 'percentage', amount: 2_000, usage_limit: 3 };
    const { discount_id: id, code } = (await api.call('POST /discounts', { body: terms })).body;
    const cart = { product_cart: [{ product_id: product, quantity: 1 }], discount_codes: [code] };
    const sessions: string[] = await Promise.all(
      times(50).map(async () => (await api.call('POST /checkouts', { body: cart })).body.session_id),
    );
    const pay = (session: string, card = '4242'): Promise<ApiAnswer> =>
      api.call(`POST /checkout/${session}/pay`, {
        key: null,
        body: {
          customer: { email: `buyer-${session}@example.com`, name: 'A Buyer' },
          billing_address: { country: 'DE' },
          test_card: card,
          expected_total: 1_599,
        },
      });
    const limit = (usage_limit: number) => api.call(`PATCH /discounts/${id}`, { body: { usage_limit } });
    let kills = 0;
    const faults = injectFaults(faultsAtRandom(random, 0.1));
    const stopKilling = sendThrough(
      table().client,
      killable(() => {
        kills += 1;
      }),
    );
    /** A third die at some call of the table, a third have a card that is declined at once or later. */
    const first = (session: string) =>
      dyingAfter(random() < 0.35 ? between(random, 1, 8) : 1_000, () =>
        pay(session, random() < 0.35 ? (random() < 0.5 ? '0002' : '3238') : '4242'),
      ).catch(() => undefined);
    const limits = [7, 2, 5, 1, 6].map((usageLimit) => limit(usageLimit));
    await Promise.all([...sessions.map(first), ...limits]);
    stopKilling();
    faults.heal();
    for (const minutes of [1, 5, 60]) {
      clock.forward({ minutes });
      await sweep();
    }
    expect(await moneyContradictions(await rowsNow())).toEqual([]);

    expect((await limit(7)).body.usage_limit).toBe(7);
    const again = await Promise.all(sessions.map((session) => pay(session)));
    clock.forward({ minutes: 5 });
    await sweep();
    const { payments } = booksOf(await rowsNow());
    const bought = payments.filter(
      ({ status, discounts = [] }) => status === 'succeeded' && discounts.some((one) => one.id === id),
    );
    expect(bought.map(({ gross }) => gross)).toEqual(times(7).map(() => 1_599));
    expect((await api.call(`GET /discounts/${id}`)).body.times_used).toBe(7);
    expect(await moneyContradictions(await rowsNow())).toEqual([]);
    expect(again.map(({ status, body }) => (status === 200 ? body.status : body.code)).sort()).toEqual(
      expect.arrayContaining(['DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED']),
    );
    expect(kills).toBeGreaterThan(3);
  });
});
