import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments, sessions, table } from '../../shared/wiring/runtime.ts';
import { clock } from '../support/clock.ts';
import { dyingAfter, killable } from '../support/faults/killed.ts';
import { type RemoteProcessor, remoteProcessor, useProcessor } from '../support/faults/remote-processor.ts';
import { between, campaign, seeded, times } from '../support/seeded.ts';
import { type Api, startApi } from '../support/shop/api.ts';
import { booksOf, moneyContradictions, scanRows } from '../support/shop/books.ts';
import { finishPayment, sweep } from '../support/shop/settle.ts';
import { addProduct } from '../support/shop/shop.ts';
import { useShortPauses } from '../support/short-pauses.ts';
import { sendThrough } from '../support/table/send-through.ts';

let api: Api;
let productId: string;
let processor: RemoteProcessor;
let stopUsing: () => void;
beforeAll(async () => {
  processor = remoteProcessor({ charge: 'open' });
  api = await startApi();
  productId = await addProduct(api);
  stopUsing = useProcessor(processor);
});
afterAll(async () => {
  stopUsing();
  clock.run();
  await api.stop();
});
useShortPauses(200);

const limit = 7;
const buyers = 50;
const unpaying = 40;
const hours = 2;

/** What happens in a minute, in any order and at once. */
type Happening = () => Promise<unknown>;

describe('Fifty buyers of a code with seven uses, of whom forty never pay, while functions crash', () => {
  it.each(times(campaign(200, 2, 1)).map((seed) => ({ seed })))(
    'make at most seven sales, and no buyer who paid in time is refunded (seed $seed)',
    async ({ seed }) => {
      const random = seeded(seed);
      clock.stopAt('2026-03-01T12:00:00.000Z');
      const { code } = (
        await api.call('POST /discounts', { body: { type: 'percentage', amount: 2_000, usage_limit: limit } })
      ).body;
      const cart = { product_cart: [{ product_id: productId, quantity: 1 }], discount_codes: [code] };
      const opened = await Promise.all(
        times(buyers).map(async () => String((await api.call('POST /checkouts', { body: cart })).body.session_id)),
      );
      const restore = sendThrough(
        table().client,
        killable(() => {}),
      );
      const mortal =
        (act: Happening): Happening =>
        () =>
          dyingAfter(random() < 0.2 ? between(random, 1, 10) : 1_000, act).catch(() => undefined);
      const begin = (session: string) => () =>
        api.call(`POST /checkout/${session}/pay`, {
          key: null,
          source: `192.0.2.${between(random, 1, 6)}`,
          body: { customer: { email: `${session}@example.com`, name: 'A Buyer' }, billing_address: { country: 'DE' } },
        });
      const paymentOf = async (session: string) => (await sessions().get(session)).paymentId ?? '';
      const payIfOpen =
        (session: string): Happening =>
        async () => {
          const charge = processor.charged.get(await paymentOf(session));
          if (charge?.status === 'open') charge.status = 'succeeded';
        };
      const hear =
        (session: string): Happening =>
        async () => {
          const id = await paymentOf(session);
          if (id && (await payments().find(id))?.status === 'processing') await finishPayment(id);
        };
      const minutes: Happening[][] = times(hours * 60).map(() => []);
      const at = (minute: number, happening: Happening) =>
        minutes[Math.min(minute, minutes.length - 1)]?.push(happening);
      for (const [index, session] of opened.entries()) {
        const arrives = between(random, 0, 60);
        for (const tries of [0, 1, 2]) at(arrives + tries * between(random, 1, 25), mortal(begin(session)));
        if (index < unpaying) continue;
        const paysAt = arrives + between(random, 0, 20);
        at(paysAt, payIfOpen(session));
        if (random() < 0.7) at(paysAt + between(random, 0, 3), mortal(hear(session)));
      }
      for (const happenings of minutes) {
        await Promise.all([...happenings.map((happen) => happen()), mortal(() => sweep())()]);
        clock.forward({ minutes: 1 });
      }
      restore();
      for (const session of opened) await hear(session)();
      for (const wait of [1, 3, 30]) {
        clock.forward({ minutes: wait });
        await sweep();
      }
      const rows = await scanRows(table().client, table().name);
      const own = booksOf(rows).payments.filter(({ discounts = [] }) => discounts.some((one) => one.code === code));
      const kept = own.filter(({ status, late }) => status === 'succeeded' && !late?.isReturned);
      console.log(`seed ${seed}: ${own.length} begun, ${kept.length} paid`);
      expect(kept.length).toBeLessThanOrEqual(limit);
      expect(kept.length).toBeGreaterThan(0);
      for (const { id, status, refunded, pending } of own)
        if (processor.charged.get(id)?.status === 'succeeded')
          expect({ id, status, refunded, pending }).toEqual({ id, status: 'succeeded', refunded: 0, pending: 0 });
      expect(await moneyContradictions(rows)).toEqual([]);
    },
  );
});
