import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { windowsToWrite } from '../../../shared/domain/key-windows.ts';
import { keys } from '../../../shared/store/keys.ts';
import { table, world } from '../../../shared/wiring/runtime.ts';
import { type Explored, explore } from '../../support/schedules/explore.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import { campaign } from '../../support/seeded.ts';
import type { Api, ApiAnswer } from '../../support/shop/api.ts';
import { scanRows } from '../../support/shop/books.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { withoutConditions } from '../../support/table/without-conditions.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

/** Where one window of ids ends and the next one begins: 323 times 64 days after the epoch. */
const border = Date.parse('2026-08-07T00:00:00.000Z');
/** Each racer reads a separate clock. */
const clocks = new AsyncLocalStorage<Date>();
const instant = (secondsAfterBorder: number): Date => new Date(border + secondsAfterBorder * 1_000);

let shop: RacingShop;
let api: Api;
beforeAll(async () => {
  shop = await openRacingShop(instant(0).toISOString(), (opened) => openSession(opened, 'makes the secret'));
  ({ api } = shop);
  const stopped = world.now;
  world.now = () => clocks.getStore() ?? stopped();
});
afterAll(() => shop.stop());

let serial = 0;
const newKey = (): string => {
  serial += 1;
  return `border-${serial}`;
};

const openSession = ({ api, productId }: Pick<RacingShop, 'api' | 'productId'>, key: string) => {
  const body = { product_cart: [{ product_id: productId, quantity: 1 }] };
  return api.call('POST /checkouts', { body, headers: { 'idempotency-key': key } });
};
const open =
  (key: string, at = instant(0), productId = shop.productId) =>
  () =>
    clocks.run(at, () => openSession({ api, productId }, key));

const sessionRows = async (): Promise<string[]> =>
  (await scanRows(table().client, table().name)).flatMap(({ pk, entity }) =>
    entity === 'SESSION' ? [String(pk)] : [],
  );

/** Requests under one key at these seconds from the border, after what is prepared. */
async function race(seconds: readonly number[], prepare: (key: string) => Promise<unknown>): Promise<Explored> {
  await shop.reopen();
  const key = newKey();
  await prepare(key);
  const reset = await shop.keep();
  const before = await sessionRows();
  const racers = seconds.map((second) => open(key, instant(second)));
  const verify = async (heard: readonly unknown[]) => {
    const told = (heard as (ApiAnswer | undefined)[]).filter((answer) => answer !== undefined);
    expect(told.map(({ status }) => status)).toEqual(told.map(() => 200));
    const again: ApiAnswer[] = [];
    for (const ask of [...racers, open(key, instant(Math.max(...seconds) + 3_600))]) again.push(await ask());
    expect(new Set([...told, ...again].map(({ text }) => text)).size).toBe(1);
    const added = (await sessionRows()).filter((pk) => !before.includes(pk));
    expect(added).toEqual([keys.session(again[0]?.body.session_id).pk]);
  };
  return explore(table().client, { racers, reset, verify });
}

const nothingBefore = async () => {};
/** An older session of the key, in the window that ends, when the key is free again. */
const longBefore = (key: string) => open(key, instant(-50 * 3_600))();

const minutes = 60;

describe('one Idempotency-Key, used twice around the border of two time windows,', () => {
  it.each([
    { seconds: [-700 * minutes, -700 * minutes], prepare: nothingBefore },
    { seconds: [-11 * minutes, -2 * minutes], prepare: nothingBefore },
    { seconds: [-9 * minutes, -1], prepare: nothingBefore },
    { seconds: [-5, 5], prepare: nothingBefore },
    { seconds: [-4 * minutes, 5 * minutes], prepare: nothingBefore },
    { seconds: [5 * minutes, 14 * minutes], prepare: nothingBefore },
    { seconds: [-11 * minutes, -2 * minutes], prepare: longBefore },
    { seconds: [-5, 5], prepare: longBefore },
    { seconds: [5 * minutes, 14 * minutes], prepare: longBefore },
  ])(
    'opens one session in every order, with crashes: requests $seconds seconds from the border, after $prepare.name',
    async ({ seconds, prepare }) => {
      const { schedules, crashes, calls } = await race(seconds, prepare);
      expect([schedules, crashes, calls]).toEqual([4, 8, 42]);
    },
  );

  it('has the border of its windows at the expected time', () => {
    expect(border % (64 * 86_400_000)).toBe(0);
    expect([-601, -599, 599, 601].map((second) => windowsToWrite(instant(second)))).toEqual([
      [322],
      [323, 322],
      [323, 322],
      [323],
    ]);
  });

  it('opens two sessions in some order if the condition of the stored answer is missing', async () => {
    const restore = withoutConditions(['IDEM']);
    await expect(race([-11 * minutes, -2 * minutes], longBefore).finally(restore)).rejects.toThrow(/in the order/);
  });
});

/** Two requests under one key, of which one goes on to pay. */
async function paidMeanwhile(): Promise<Explored> {
  await shop.reopen();
  const reset = await shop.keep();
  const key = newKey();
  const ask = open(key, instant(-3_600));
  const body = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };
  const openAndPay = async () => {
    const { session_id: id } = (await ask()).body;
    const paying = { ...body, test_card: '4242', expected_total: 1_999 };
    return clocks.run(instant(-3_600), () => api.call(`POST /checkout/${id}/pay`, { key: null, body: paying }));
  };
  const verify = async ([, paid]: readonly unknown[]) => {
    const { body: session } = await api.call(`GET /checkouts/${(await ask()).body.session_id}`);
    if (paid) expect([(paid as ApiAnswer).status, session.payment_status]).toEqual([200, 'succeeded']);
  };
  return explore(table().client, { racers: [ask, openAndPay], reset, verify });
}

describe('a session that is opened and paid while a second request with its key runs', () => {
  it('stays paid in every order, with a crash at every point', async () => {
    const { schedules, crashes, calls } = await paidMeanwhile();
    expect([schedules, crashes, calls]).toEqual([15, 35, 335]);
  });

  it('is open again in some order if the condition of a session is missing', async () => {
    const restore = withoutConditions(['SESSION']);
    await expect(paidMeanwhile().finally(restore)).rejects.toThrow(/in the order/);
  });
});

/** Two requests under one key, of which one comes after their product was archived, and is refused if it is the first. */
async function refusedMeanwhile(): Promise<Explored> {
  await shop.reopen();
  const product = await clocks.run(instant(-3_600), () => addProduct(api));
  const reset = await shop.keep();
  const before = await sessionRows();
  const ask = open(newKey(), instant(-3_600), product);
  const archiveAndAsk = async () => {
    await clocks.run(instant(-3_600), () => api.call(`DELETE /products/${product}`));
    return ask();
  };
  const verify = async (heard: readonly unknown[]) => {
    const told = [...(heard as (ApiAnswer | undefined)[]).filter((answer) => answer !== undefined), await ask()];
    expect(new Set(told.map(({ text, status }) => (status === 200 ? text : status))).size).toBe(1);
    const added = (await sessionRows()).filter((pk) => !before.includes(pk));
    expect(added).toHaveLength(told[0]?.status === 200 ? 1 : 0);
  };
  return explore(table().client, { racers: [ask, archiveAndAsk], reset, verify });
}

describe('a session and a refusal with the same Idempotency-Key', () => {
  it('end in one common answer in every order, with a crash at every point', async () => {
    const { schedules, crashes, calls } = await refusedMeanwhile();
    expect([schedules, crashes, calls]).toEqual([7, 11, 89]);
  });

  it('are both answered in some order if the condition of the refusal is missing', async () => {
    const restore = withoutConditions(['IDEM']);
    await expect(refusedMeanwhile().finally(restore)).rejects.toThrow(/in the order/);
  });
});
