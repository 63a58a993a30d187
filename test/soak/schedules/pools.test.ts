import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { importCodes } from '../../../shared/use-cases/entitlements/import-codes.ts';
import { settleGrants } from '../../../shared/use-cases/entitlements/settle-grants.ts';
import { codePools, entitlements, newId, now, payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { explore, type Race, sample } from '../../support/schedules/explore.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import { campaign, seeded } from '../../support/seeded.ts';
import { granting, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { sendThrough } from '../../support/table/send-through.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 7_200_000, 120_000) });

const noon = '2026-03-01T12:00:00.000Z';
let shop: RacingShop;
let pool: string;
let productId: string;

beforeAll(async () => {
  shop = await openRacingShop(noon, async ({ api }) => {
    const config = { fulfillment_mode: 'manual', pool: true };
    const body = { name: 'Game', integration_type: 'license_key', integration_config: config };
    pool = (await api.call('POST /entitlements', { body })).body.id;
    productId = await addProduct(api, { entitlements: [{ entitlement_id: pool }] });
  });
});
afterAll(() => shop.stop());

async function sold(): Promise<string> {
  const session = await createSession(shop.api, [{ product_id: productId, quantity: 1 }]);
  return (await pay(session, { expectedTotal: 1_999 })).id;
}

const deps = () => ({ payments: payments(), ...granting(), now, newId });
const settle = (id: string) => () => settleGrants(deps(), id);
const importing =
  (...codes: string[]) =>
  () =>
    importCodes({ ...deps(), entitlements: entitlements(), pool: codePools() }, pool, codes, () => []);

/** A sale that has found the pool empty. */
async function waiting(): Promise<string> {
  const id = await sold();
  await settle(id)();
  clock.forward({ minutes: 1 });
  return id;
}

interface GivenCode {
  payment_id: string;
  status: string;
  license_key: { key: string } | null;
}

type Codes = Record<string, string | undefined>;

/** The code that each sale has; undefined while it waits. */
const codesOf = (items: readonly GivenCode[]): Codes =>
  Object.fromEntries(items.map(({ payment_id: id, license_key: key }) => [id, key?.key]));

type Racing = Pick<Race, 'racers' | 'mortals'> & { verify?: (codes: Codes) => void };

/** How many random orders `npm test` tries of each race. Campaigns try every order, and deaths. */
const randomOrders = campaign(undefined, undefined, 5);

/** Makes a race. After each order, later sweeps finish the work, and the pool's numbers must be true. */
async function raceOf(prepare: () => Promise<Racing>): Promise<Race> {
  await shop.reopen();
  clock.stopAt(noon);
  const { verify, ...race } = await prepare();
  const restore = await shop.keep();
  const at = now().toISOString();
  const reset = async () => {
    clock.stopAt(at);
    await restore();
  };
  const check = async () => {
    for (const minutes of [1, 16, 16]) {
      clock.forward({ minutes });
      await sweep();
    }
    const { items } = (await shop.api.call(`GET /entitlements/${pool}/grants`)).body;
    const codes = codesOf(items);
    const given = Object.values(codes).filter((code) => code !== undefined);
    expect(new Set(given).size).toBe(given.length);
    const stands = await codePools().get(pool);
    expect(stands.free).toBe((await codePools().free(pool, 100)).length);
    const pending = items.filter(({ status }: GivenCode) => status === 'Pending');
    expect([stands.given, stands.waiting]).toEqual([given.length, pending.length]);
    // nobody waits while codes are free
    expect(stands.free > 0 && stands.waiting > 0).toBe(false);
    verify?.(codes);
  };
  return { ...race, reset, verify: check };
}

/** Runs a race: in campaigns in all of these orders and with all of these deaths, otherwise in a few orders. */
async function run(prepare: () => Promise<Racing>, all: { orders: number; deaths: number }): Promise<void> {
  const race = await raceOf(prepare);
  if (randomOrders !== undefined) {
    await sample(table().client, race, { random: seeded(27), runs: randomOrders });
    return;
  }
  const { schedules, crashes } = await explore(table().client, race);
  expect({ orders: schedules, deaths: crashes }).toEqual(all);
}

describe('a sale that waits for a code, in every order of calls, with a crash at every point,', () => {
  it('gets its code before a newer sale that is made during the import of codes', async () => {
    await run(
      async () => {
        const [older, newer] = [await waiting(), await sold()];
        const verify = (codes: Codes) =>
          expect([codes[older] ?? codes[newer], codes[newer]]).toEqual([codes[older], undefined]);
        return { racers: [importing('ONE'), settle(newer)], mortals: [0, 1], verify };
      },
      { orders: 54, deaths: 267 },
    );
  });

  it('gets its code before a newer waiting sale, even if the newer order is opened first', async () => {
    await run(
      async () => {
        const [older, newer] = [await waiting(), await waiting()];
        const verify = (codes: Codes) =>
          expect([codes[older] ?? codes[newer], codes[newer]]).toEqual([codes[older], undefined]);
        return { racers: [importing('ONE'), settle(newer)], mortals: [0, 1], verify };
      },
      { orders: 19, deaths: 123 },
    );
  });

  it('gets a separate code while two other sales take the last two codes', async () => {
    await run(
      async () => {
        await importing('ONE', 'TWO')();
        const sales = [await sold(), await sold(), await sold()];
        const verify = (codes: Codes) =>
          expect(sales.map((id) => codes[id]).filter((code) => code === undefined)).toHaveLength(1);
        return { racers: sales.slice(1).map(settle), mortals: [0], verify };
      },
      { orders: 10, deaths: 20 },
    );
  });

  it('leaves the queue once if it is fully refunded while it gets its code', async () => {
    await run(
      async () => {
        const older = await waiting();
        await waiting();
        const refund = () => shop.api.call('POST /refunds', { body: { payment_id: older } });
        return { racers: [importing('ONE'), refund], mortals: [0, 1] };
      },
      { orders: 16, deaths: 165 },
    );
  });
});

/** Lets a sale take a code although another one waits. */
const withoutQueue = () =>
  sendThrough(table().client, (send) => (command) => {
    const items = (command.input['TransactItems'] ?? []) as { Update?: Record<string, unknown> }[];
    for (const { Update } of items)
      if (String(Update?.['ConditionExpression']).includes('#waiting = :zero'))
        Object.assign(Update ?? {}, { ConditionExpression: '#free > :zero AND #waiting >= :zero' });
    return send(command);
  });

describe('the check of these tests', () => {
  it('finds a newer sale that takes the code of an older one, if no commit compares the queue', async () => {
    const restore = withoutQueue();
    const race = await raceOf(async () => {
      const [older, newer] = [await sold(), await sold()];
      const verify = (codes: Codes) => {
        if (codes[newer]) expect(codes[older]).toBeDefined();
      };
      const both = async () => {
        await settle(older)();
        await importing('ONE')();
      };
      return { racers: [both, settle(newer)], mortals: [], verify };
    });
    await expect(explore(table().client, race)).rejects.toThrow(/undefined/);
    restore();
  });
});
