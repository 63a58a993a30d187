import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { env } from '../../../shared/env.ts';
import { dataIn } from '../../../shared/store/table/packed.ts';
import { countHomeSale } from '../../../shared/use-cases/payments/count-home-sale.ts';
import { payments, table, taxRules } from '../../../shared/wiring/runtime.ts';
import { explore, type Race } from '../../support/schedules/explore.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import { campaign } from '../../support/seeded.ts';
import type { ApiAnswer } from '../../support/shop/api.ts';
import { scanRows } from '../../support/shop/books.ts';
import { addProduct } from '../../support/shop/shop.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 1_800_000, 120_000) });

const known = env.merchant;
let shop: RacingShop;
let productId: string;

beforeAll(async () => {
  env.merchant = () => ({ ...known(), country: 'DE', collectPolicy: 'registered_only' });
  shop = await openRacingShop('2026-03-01T12:00:00.000Z', async ({ api }) => {
    // 100.00 at home in Germany, where 19 % are in 119.00
    const price = { type: 'one_time_price', currency: 'EUR', price: 11_900, tax_inclusive: true };
    productId = await addProduct(api, { tax_category: 'saas', price });
    const from = { activeFrom: '2020-01-01' };
    await taxRules().save(
      {
        registrations: [
          { id: 'reg_de', country: 'DE', scheme: 'standard', ...from },
          { id: 'reg_oss', country: 'DE', scheme: 'oss', ...from },
        ],
        overrides: [],
        // there is room for one of two sales
        smallSeller: { from: '2026-01-01', elsewhere: { 2026: 985_000 } },
        changedAt: null,
        version: 0,
      },
      [],
    );
  });
});
afterAll(async () => {
  env.merchant = known;
  await shop.stop();
});

async function open(email: string) {
  const cart = { product_cart: [{ product_id: productId, quantity: 1 }] };
  const { session_id: id } = (await shop.api.call('POST /checkouts', { body: cart })).body;
  const buyer = { customer: { email, name: 'A Buyer' }, billing_address: { country: 'FR' } };
  return (card = '4242') =>
    shop.api.call(`POST /checkout/${id}/pay`, {
      key: null,
      body: { ...buyer, test_card: card, expected_total: 11_900 },
    });
}

const stored = async (): Promise<Payment[]> =>
  (await scanRows(table().client, table().name))
    .filter(({ entity }) => entity === 'PAYMENT')
    .map((row) => dataIn(row) as Payment);

/** The count must have exactly the payments that say so, and what is taxed at home must fit below the limit. */
async function verify(outcomes: readonly unknown[]): Promise<void> {
  for (const answer of outcomes as (ApiAnswer | undefined)[])
    if (typeof answer?.status === 'number') expect(answer.status).toBe(200);
  const all = await stored();
  const sum = (some: readonly Payment[]) => some.reduce((total, { homeSale }) => total + (homeSale?.amount ?? 0), 0);
  const held = all.filter(({ homeSale }) => homeSale?.isCounted);
  expect((await taxRules().homeSales()).counted['2026'] ?? 0).toBe(sum(held));
  const atHome = held.filter(({ lines }) => lines.some(({ taxedIn }) => taxedIn === 'DE'));
  expect(985_000 + sum(atHome)).toBeLessThanOrEqual(1_000_000);
}

const races: Record<string, () => Promise<(() => Promise<unknown>)[]>> = {
  'two payments at the limit': async () => [await open('a@example.com'), await open('b@example.com')],
  'a payment and a failed one that frees its amount': async () => {
    const { body } = await (await open('slow@example.com'))('0002');
    const failed = await payments().get(body.payment_id);
    return [await open('a@example.com'), () => countHomeSale({ payments: payments() }, failed)];
  },
  'a failed payment that frees its amount, reported twice': async () => {
    const { body } = await (await open('slow@example.com'))('0002');
    const failed = await payments().get(body.payment_id);
    const giveBack = () => countHomeSale({ payments: payments() }, failed);
    return [giveBack, giveBack];
  },
};

describe('the count of a small seller’s sales, in races at every call of the table,', () => {
  it.each(Object.entries(races))('equals the payments, and the limit holds: %s', async (name, prepare) => {
    await shop.reopen();
    const racers = await prepare();
    const reset = await shop.keep();
    const race: Race = { racers: racers.map((racer) => () => racer()), mortals: [], reset, verify };
    const { schedules, calls } = await explore(table().client, race);
    console.log(`${name}: ${schedules} schedules, ${calls} calls`);
    expect(schedules).toBeGreaterThan(1);
  });
});
