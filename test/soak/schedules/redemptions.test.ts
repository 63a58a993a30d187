import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { payments, table } from '../../../shared/wiring/runtime.ts';
import { explore, type Race, sample } from '../../support/schedules/explore.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import { campaign, seeded } from '../../support/seeded.ts';
import type { Api, ApiAnswer } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { finishPayment } from '../../support/shop/settle.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 1_800_000, 120_000) });

let shop: RacingShop;
let api: Api;
let productId: string;
beforeAll(async () => {
  shop = await openRacingShop('2026-03-01T12:00:00.000Z');
  ({ api, productId } = shop);
});
afterAll(() => shop.stop());

interface Code {
  id: string;
  code: string;
}

async function newCode(usage_limit: number | null): Promise<Code> {
  const body = { type: 'percentage', amount: 2_000, usage_limit };
  const { discount_id: id, code } = (await api.call('POST /discounts', { body })).body;
  return { id, code };
}

async function open({ code }: Code, email: string) {
  const cart = { product_cart: [{ product_id: productId, quantity: 1 }], discount_codes: [code] };
  const { session_id: id } = (await api.call('POST /checkouts', { body: cart })).body;
  const buyer = { customer: { email, name: 'A Buyer' }, billing_address: { country: 'DE' } };
  return (card = '4242') =>
    api.call(`POST /checkout/${id}/pay`, { key: null, body: { ...buyer, test_card: card, expected_total: 1_599 } });
}

/** A payment whose card will be declined, and which holds a use until then. */
async function holding(code: Code): Promise<() => Promise<void>> {
  const { body } = await (await open(code, 'slow@example.com'))('3238');
  expect((await payments().get(body.payment_id)).status).toBe('processing');
  return () => finishPayment(body.payment_id);
}

const limit =
  ({ id }: Code, usage_limit: number | null) =>
  () =>
    api.call(`PATCH /discounts/${id}`, { body: { usage_limit } });
const remove =
  ({ id }: Code) =>
  () =>
    api.call(`DELETE /discounts/${id}`);

type Racer = () => Promise<unknown>;
interface Setting {
  racers: Racer[];
  /** How many payments with the code there may be in the end. */
  sold: readonly number[];
}

const races: Record<string, () => Promise<Setting>> = {
  'two buyers for one use': async () => {
    const code = await newCode(1);
    return { racers: [await open(code, 'a@example.com'), await open(code, 'b@example.com')], sold: [1] };
  },
  'two buyers, and a failed payment that frees the only use': async () => {
    const code = await newCode(1);
    const buyers = [await open(code, 'a@example.com'), await open(code, 'b@example.com')];
    return { racers: [...buyers, await holding(code)], sold: [0, 1] };
  },
  'two buyers, and a limit that rises from one to two': async () => {
    const code = await newCode(1);
    const racers = [await open(code, 'a@example.com'), await open(code, 'b@example.com'), limit(code, 2)];
    return { racers, sold: [1, 2] };
  },
  'two buyers, and a new limit of one': async () => {
    const code = await newCode(null);
    const racers = [await open(code, 'a@example.com'), await open(code, 'b@example.com'), limit(code, 1)];
    return { racers, sold: [1, 2] };
  },
  'two buyers, and the deletion of the discount': async () => {
    const code = await newCode(null);
    const racers = [await open(code, 'a@example.com'), await open(code, 'b@example.com'), remove(code)];
    return { racers, sold: [0, 1, 2] };
  },
  'a buyer, a failed payment, and a new limit of one': async () => {
    const code = await newCode(null);
    const end = await holding(code);
    return { racers: [await open(code, 'a@example.com'), end, limit(code, 1)], sold: [0, 1] };
  },
};

/** How many schedules there are, and the calls of all of them. */
const counts: Readonly<Record<string, [schedules: number, calls: number]>> = {
  'two buyers for one use': [10, 108],
  'two buyers, and a failed payment that frees the only use': [60, 1_016],
  'two buyers, and a limit that rises from one to two': [270, 4_604],
  'two buyers, and a new limit of one': [330, 6_509],
  'two buyers, and the deletion of the discount': [63, 1_107],
  'a buyer, a failed payment, and a new limit of one': [130, 2_803],
};

/** A race with more orders than this is run in a few random ones. `npm run guards` runs every order. */
const mostOrders = campaign(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 40);
const randomOrders = 20;

/** A limit cannot be changed any more where the code was deleted before: 404. */
const refusals = ['DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED', 'INVALID_DISCOUNT_CODE', 'NOT_FOUND'];

async function verify({ sold }: Setting, outcomes: readonly unknown[]): Promise<void> {
  const answers = (outcomes as (ApiAnswer | undefined)[]).filter((answer) => answer !== undefined);
  expect(sold).toContain(answers.filter(({ body }) => body?.payment_id).length);
  for (const { status, body } of answers) if (status !== 200) expect(refusals).toContain(body.code);
  expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
}

describe('redemptions of a discount code that race at every call of the table', () => {
  it.each(Object.entries(races))(
    'are counted as often as there are payments, in every tried order: %s',
    async (name, prepare) => {
      let setting: Setting = { racers: [], sold: [] };
      await shop.reopen();
      setting = await prepare();
      const restore = await shop.keep();
      const race: Race = {
        racers: setting.racers.map((racer) => () => racer()),
        mortals: [],
        reset: restore,
        verify: (outcomes) => verify(setting, outcomes),
      };
      if ((counts[name]?.[0] ?? 0) > mostOrders) {
        await sample(table().client, race, { random: seeded(17), runs: randomOrders });
        return;
      }
      const { schedules, calls } = await explore(table().client, race);
      console.log(`${name}: ${schedules} schedules, ${calls} calls`);
      expect([schedules, calls]).toEqual(counts[name]);
    },
  );

  it('are counted right in random orders, together with a failure, a new limit and a deletion', async () => {
    await shop.reopen();
    const code = await newCode(2);
    const buyers = [await open(code, 'a@example.com'), await open(code, 'b@example.com')];
    const racers = [...buyers, await holding(code), limit(code, 1), remove(code)];
    const reset = await shop.keep();
    const setting = { racers, sold: [0, 1, 2] };
    const orders = await sample(
      table().client,
      { racers: racers.map((racer) => () => racer()), reset, verify: (outcomes) => verify(setting, outcomes) },
      { random: seeded(7), runs: campaign(20_000, 60, 20) },
    );
    console.log(`five at once: ${orders} different orders`);
    expect(orders).toBeGreaterThan(campaign(15_000, 50, 15));
  });
});
