import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { settleLatePayment } from '../../../shared/use-cases/payments/settle-late-payment.ts';
import { countedPayments, newId, now, sessions, table } from '../../../shared/wiring/runtime.ts';
import { processor as ofThisStage } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type RemoteProcessor, remoteProcessor, useProcessor } from '../../support/faults/remote-processor.ts';
import { explore, type Race, sample } from '../../support/schedules/explore.ts';
import { everything } from '../../support/schedules/footprint.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import type { ScheduleStage } from '../../support/schedules/stage.ts';
import { campaign, seeded } from '../../support/seeded.ts';
import { booksOf, moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { finishPayment, sweep } from '../../support/shop/settle.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 1_800_000, 120_000) });

const opened = '2026-03-01T12:00:00.000Z';

let shop: RacingShop;
let processor: RemoteProcessor;
let stopUsing: () => void;
beforeAll(async () => {
  processor = remoteProcessor({ charge: 'open', ends: 'failed' });
  shop = await openRacingShop(opened);
  stopUsing = useProcessor(processor);
});
afterAll(async () => {
  stopUsing();
  await shop.stop();
});

async function newCode(usage_limit: number): Promise<string> {
  const body = { type: 'percentage', amount: 2_000, usage_limit };
  return (await shop.api.call('POST /discounts', { body })).body.code;
}

const open = async (code: string): Promise<string> => {
  const cart = { product_cart: [{ product_id: shop.productId, quantity: 1 }], discount_codes: [code] };
  return (await shop.api.call('POST /checkouts', { body: cart })).body.session_id;
};

const pay = (sessionId: string) =>
  shop.api.call(`POST /checkout/${sessionId}/pay`, {
    key: null,
    body: { customer: { email: `${sessionId}@example.com`, name: 'A Buyer' }, billing_address: { country: 'DE' } },
  });

const paymentIdIn = async (sessionId: string): Promise<string> => (await sessions().get(sessionId)).paymentId ?? '';

/** A buyer who has gone to the processor's page with a code. */
async function begun(code: string): Promise<string> {
  const sessionId = await open(code);
  expect((await pay(sessionId)).body.status).toBe('requires_customer_action');
  return paymentIdIn(sessionId);
}

/** What the processor does at its side, at any time of the race. */
const atProcessor =
  (paymentId: string, status: 'succeeded' | 'cancelled') =>
  (stage: ScheduleStage): Promise<unknown> =>
    stage.step(everything, async () => {
      const charge = processor.charged.get(paymentId);
      if (charge?.status === 'open') charge.status = status;
    });

const hearLate = (paymentId: string) =>
  settleLatePayment(
    { payments: countedPayments(), sessions: sessions(), processor: ofThisStage(), now, newId, alert: () => {} },
    paymentId,
    paymentId,
  );

interface Setting {
  racers: ((stage: ScheduleStage) => Promise<unknown>)[];
  mortals: readonly number[];
}

/** A code of one use, checkouts with it, and a buyer who has kept the use for long. */
async function oldUse(checkouts: number) {
  const code = await newCode(1);
  const newcomers: string[] = [];
  for (let count = 0; count < checkouts; count += 1) newcomers.push(await open(code));
  return { old: await begun(code), newcomers };
}

const races: Record<string, () => Promise<Setting>> = {
  'a new buyer, a late success of the old payment, and its notification': async () => {
    const { old, newcomers } = await oldUse(1);
    const racers = [() => pay(newcomers[0] as string), atProcessor(old, 'succeeded'), () => finishPayment(old)];
    return { racers, mortals: [0, 2] };
  },
  'a new buyer, the end of the old payment, and its notification': async () => {
    const { old, newcomers } = await oldUse(1);
    const racers = [() => pay(newcomers[0] as string), atProcessor(old, 'cancelled'), () => finishPayment(old)];
    return { racers, mortals: [0, 2] };
  },
  'two new buyers for one use': async () => {
    const { newcomers } = await oldUse(2);
    return { racers: newcomers.map((newcomer) => () => pay(newcomer)), mortals: [0] };
  },
  'a new buyer, and late money for a freed use': async () => {
    const { old, newcomers } = await oldUse(1);
    const charge = processor.charged.get(old);
    if (charge) charge.status = 'cancelled';
    await finishPayment(old);
    if (charge) charge.status = 'succeeded';
    return { racers: [() => pay(newcomers[0] as string), () => hearLate(old)], mortals: [0, 1] };
  },
};

/** How many schedules each race has in which all live, and in which one dies. */
const counts: Readonly<Record<string, readonly [schedules: number, crashes: number]>> = {
  'a new buyer, a late success of the old payment, and its notification': [640, 2_458],
  'a new buyer, the end of the old payment, and its notification': [729, 3_020],
  'two new buyers for one use': [184, 258],
  'a new buyer, and late money for a freed use': [4, 24],
};

/** A race with more orders than this is run in a few random ones. `npm run guards` runs every order. */
const mostOrders = campaign(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 40);
const randomOrders = 40;

/** Hears of what the processor has ended, as its repeated notifications and the daily comparison do. */
async function hearAll(): Promise<void> {
  for (const { id, status } of booksOf(await scanRows(table().client, table().name)).payments)
    if (status === 'processing') await finishPayment(id);
  for (const minutes of [1, 3, 3]) {
    clock.forward({ minutes });
    await sweep();
  }
}

/** One use in the end, and money goes back only to a payment that the processor had closed before. */
async function verify(): Promise<void> {
  await hearAll();
  const rows = await scanRows(table().client, table().name);
  const { payments: all } = booksOf(rows);
  const using = all.filter(({ status, late }) => !late?.isReturned && ['succeeded', 'processing'].includes(status));
  expect(using.length).toBeLessThanOrEqual(1);
  for (const { id, status } of using)
    expect(processor.charged.get(id)?.status).toBe(status === 'processing' ? 'open' : status);
  for (const { late, pending, refunded } of all) if (!late) expect([pending, refunded]).toEqual([0, 0]);
  expect(await moneyContradictions(rows)).toEqual([]);
}

describe('A use of a discount code that may be given to another buyer', () => {
  it.each(Object.entries(races))(
    'belongs to one buyer at a time in every tried order, even if a process crashes: %s',
    async (name, prepare) => {
      await shop.reopen();
      clock.stopAt(opened);
      processor.charged.clear();
      const { racers, mortals } = await prepare();
      const charged = structuredClone([...processor.charged]);
      const restore = await shop.keep();
      const race: Race = {
        racers,
        mortals,
        reset: async () => {
          await restore();
          clock.stopAt(opened);
          clock.forward({ minutes: 16 });
          processor.charged.clear();
          for (const [id, charge] of structuredClone(charged)) processor.charged.set(id, charge);
        },
        verify,
      };
      const [schedules, crashes] = counts[name] as [number, number];
      if (schedules + crashes > mostOrders) {
        await sample(table().client, race, { random: seeded(17), runs: randomOrders });
        return;
      }
      const explored = await explore(table().client, race);
      console.log(`${name}: ${JSON.stringify(explored)}`);
      expect(explored).toMatchObject({ schedules, crashes });
    },
  );
});
