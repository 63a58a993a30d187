import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expireCheckout } from '../../../shared/use-cases/checkout/expire-checkout.ts';
import { realPace } from '../../../shared/use-cases/retry.ts';
import { sessions, table, world } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { explore, type Race } from '../../support/schedules/explore.ts';
import { everything } from '../../support/schedules/footprint.ts';
import { campaign } from '../../support/seeded.ts';
import { type Api, type ApiAnswer, startApi, testMerchant } from '../../support/shop/api.ts';
import { scanRows } from '../../support/shop/books.ts';
import { expiring, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { keepRows } from '../../support/table/rows.ts';
import { withoutConditions } from '../../support/table/without-conditions.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
let sessionId: string;
let restore: () => Promise<void>;
const opened = '2026-03-01T12:00:00.000Z';
const lastInstant = '2026-03-02T11:59:59.999Z';

beforeAll(async () => {
  api = await startApi({ ...testMerchant, expiredCheckoutEvents: true });
  clock.stopAt(opened);
  const productId = await addProduct(api);
  sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }], {
    customer: { email: 'ada@example.com' },
  });
  restore = await keepRows(api.table);
  Object.assign(realPace, { random: () => 0, pause: async () => {}, elapsedMs: () => 0 });
  world.random = () => 0;
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

const payWith = (testCard: string) => () =>
  api.call(`POST /checkout/${sessionId}/pay`, {
    key: null,
    body: {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      billing_address: { country: 'DE' },
      test_card: testCard,
      expected_total: 1_999,
    },
  });

const expire = () => expireCheckout(expiring(), sessionId);

/** The types of all events, in the order in which they were committed. */
async function told(): Promise<string[]> {
  const { body } = await api.call('GET /webhook-events', { query: 'page_size=100' });
  return body.items.map(({ type }: { type: string }) => type).filter((type: string) => type !== 'payment.processing');
}

const expiredCount = async () => (await told()).filter((type) => type === 'checkout_session.expired').length;

const run = (race: Omit<Race, 'reset'>, at: string) =>
  explore(table().client, {
    ...race,
    reset: async () => {
      await restore();
      clock.stopAt(at);
    },
  });

/** Later sweeps finish what a dead process began. */
async function sweepLater(): Promise<void> {
  for (const _ of [1, 2]) {
    clock.forward({ minutes: 1 });
    await sweep();
  }
}

/** The session's last instant passes at any time of the race. */
const midnight = (stage: { step: (of: typeof everything, act: () => Promise<void>) => Promise<void> }) =>
  stage.step(everything, async () => clock.forward({ milliseconds: 1 }));

/** A buyer pays while the session expires. */
const payAndExpire = (testCard: string, verify: (isPaid: boolean) => Promise<void>): Omit<Race, 'reset'> => ({
  racers: [payWith(testCard), expire, midnight],
  mortals: [0, 1],
  verify: async ([heard]) => {
    await sweepLater();
    const { status, paymentStatus } = await sessions().get(sessionId);
    const isPaid = status === 'completed';
    if (isPaid) expect(paymentStatus).toBe('succeeded');
    const answer = heard as ApiAnswer | undefined;
    if (answer?.status === 422) expect(answer.body.code).toBe('CHECKOUT_SESSION_EXPIRED');
    await verify(isPaid);
  },
});

/** A paid session sends no event of expiry. Every other one sends one. */
const eitherOr = async (isPaid: boolean) => expect(await expiredCount()).toBe(isPaid ? 0 : 1);

describe('an expiring session, in every order of calls, with a crash at every point', () => {
  it('is either paid or reported as expired, and never both', async () => {
    const { schedules, crashes } = await run(payAndExpire('4242', eitherOr), lastInstant);
    expect([schedules, crashes]).toEqual([20, 25]);
  });

  it('is reported as expired once when the payment fails', async () => {
    const { schedules, crashes } = await run(
      payAndExpire('0002', async () => expect(await expiredCount()).toBe(1)),
      lastInstant,
    );
    expect([schedules, crashes]).toEqual([25, 45]);
  });

  it('is reported as expired once when two sweeps run', async () => {
    const verify = async () => {
      await sweepLater();
      expect(await expiredCount()).toBe(1);
    };
    const { schedules, crashes } = await run({ racers: [expire, expire], verify }, '2026-03-02T12:00:00.000Z');
    expect([schedules, crashes]).toEqual([4, 6]);
  });

  it('leads to one new session when its recovery link is clicked twice at the same time', async () => {
    const click = () =>
      api.call(`POST /checkout/${sessionId}/recover`, { key: null, headers: { 'sec-fetch-site': 'same-origin' } });
    await restore();
    clock.stopAt('2026-03-02T12:00:00.000Z');
    await expire();
    const restoreExpired = await keepRows(api.table);
    const opened = async () => {
      const rows = await scanRows(table().client, table().name);
      return rows.filter(({ entity, pk }) => entity === 'SESSION' && pk !== `SESSION#${sessionId}`);
    };
    const { schedules, crashes } = await explore(table().client, {
      racers: [click, click],
      reset: restoreExpired,
      verify: async (heard) => {
        const answers = [...(heard.filter(Boolean) as ApiAnswer[]), await click()];
        expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(1);
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
        expect(await opened()).toHaveLength(1);
      },
    });
    expect([schedules, crashes]).toEqual([12, 30]);
  });

  it('is either paid or ended when the merchant ends it meanwhile, and its end is reported once', async () => {
    const end = () => api.call(`POST /checkouts/${sessionId}/expire`);
    const { schedules, crashes } = await run(
      {
        racers: [payWith('4242'), end],
        verify: async ([, heard]) => {
          await sweepLater();
          const { status } = await end();
          const { status: state, paymentStatus } = await sessions().get(sessionId);
          const isPaid = state === 'completed';
          expect([status, state, paymentStatus]).toEqual(isPaid ? [409, state, 'succeeded'] : [200, 'expired', null]);
          if (heard) expect((heard as ApiAnswer).status).toBe(isPaid ? 409 : 200);
          await eitherOr(isPaid);
        },
      },
      opened,
    );
    expect([schedules, crashes]).toEqual([6, 10]);
  });

  it('is both paid and reported as expired, and this test finds it, if its condition is missing', async () => {
    const undo = withoutConditions(['SESSION']);
    await expect(run(payAndExpire('4242', eitherOr), lastInstant).finally(undo)).rejects.toThrow(/in the order/);
  });
});
