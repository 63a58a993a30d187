import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realPace } from '../../../shared/use-cases/retry.ts';
import { countedPayments, payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { seeded, times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { booksOf, moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';

describeWith020('A code with a limit, while version 0.2.0 runs beside this one', () => {
  let api: Api;
  let before: Release;
  let productId: string;
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
    productId = await addProduct(api);
  });
  beforeEach(() => clock.stopAt('2030-03-01T12:00:00.000Z'));
  afterAll(async () => {
    clock.run();
    await api.stop();
  });
  useShortPauses(200);

  /** Who meets a changed row gives up after a few tries. */
  const { elapsedMs } = realPace;
  let passedMs = 0;
  beforeAll(() => void Object.assign(realPace, { elapsedMs: () => (passedMs += 200) }));
  afterAll(() => void Object.assign(realPace, { elapsedMs }));

  type Caller = Pick<Api, 'call'>;

  interface Code {
    id: string;
    code: string;
  }
  const newCode = async (by: Caller, terms: object): Promise<Code> => {
    const { body } = await by.call('POST /discounts', { body: { type: 'percentage', amount: 2_000, ...terms } });
    return { id: body.discount_id, code: body.code };
  };
  const open = async (by: Caller, { code }: Code): Promise<string> => {
    const cart = { product_cart: [{ product_id: productId, quantity: 1 }], discount_codes: [code] };
    return (await by.call('POST /checkouts', { body: cart })).body.session_id;
  };
  const pay = (by: Caller, sessionId: string, card: string = cards.good, email = `${sessionId}@example.com`) =>
    by.call(`POST /checkout/${sessionId}/pay`, {
      key: null,
      body: {
        customer: { email, name: 'A Buyer' },
        billing_address: { country: 'DE' },
        test_card: card.slice(-4),
      },
    });
  const usesOf = async ({ id }: Code): Promise<number> => (await api.call(`GET /discounts/${id}`)).body.times_used;
  const soldWith = async ({ id }: Code): Promise<number> =>
    booksOf(await scanRows(table().client, table().name)).payments.filter(
      ({ status, discounts = [] }) => status === 'succeeded' && discounts.some((one) => one.id === id),
    ).length;
  const faults = async () => moneyContradictions(await scanRows(table().client, table().name));
  const sweepBefore = () => before.invoke('events/sweep-due', {});
  const settle = async () => {
    for (const minutes of [1, 5, 60]) {
      clock.forward({ minutes });
      await sweepBefore();
      await sweep();
    }
    clock.forward({ minutes: 60 });
    await sweep();
  };

  it('continues the count of 0.2.0, up to the same limit', async () => {
    const code = await newCode(before, { usage_limit: 3 });
    const sessions = await Promise.all(times(4).map(() => open(before, code)));
    expect((await pay(before, sessions[0] as string)).body.status).toBe('succeeded');
    for (const session of sessions.slice(1, 3)) expect((await pay(api, session)).body.status).toBe('succeeded');
    expect((await pay(api, sessions[3] as string)).body.code).toBe('DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
    expect([await usesOf(code), await soldWith(code)]).toEqual([3, 3]);
    expect(await faults()).toEqual([]);
  });

  it('cannot be used through 0.2.0 once this version counts: nothing is charged', async () => {
    const code = await newCode(before, { usage_limit: 3 });
    const [first, second] = [await open(before, code), await open(before, code)];
    await pay(api, first);
    const { status, body } = await pay(before, second);
    expect([status, body.code]).toEqual([503, 'DISCOUNT_CONCURRENT_REDEMPTION']);
    expect((await pay(api, second)).body.status).toBe('succeeded');
    expect(await faults()).toEqual([]);
  });

  it('cannot be changed or deleted by 0.2.0 once this version counts its uses', async () => {
    const code = await newCode(before, { usage_limit: 2 });
    await pay(api, await open(api, code));
    for (const request of [`PATCH /discounts/${code.id}`, `DELETE /discounts/${code.id}`])
      expect((await before.call(request, { body: { usage_limit: 50 } })).status).toBe(503);
    expect((await api.call(`PATCH /discounts/${code.id}`, { body: { usage_limit: 3 } })).status).toBe(200);
  });

  it.each([
    { begins: 'this version', ends: '0.2.0' },
    { begins: '0.2.0', ends: 'this version' },
  ])('frees a use once: $begins starts the payment, $ends sees its failure', async ({ begins }) => {
    const code = await newCode(before, { usage_limit: 2, per_customer_usage_limit: 1 });
    const [failing, other] = [await open(before, code), await open(before, code)];
    const by = begins === '0.2.0' ? before : api;
    expect((await pay(by, failing, cards.slowDecline)).body.status).toBe('processing');
    expect((await pay(api, other)).body.status).toBe('succeeded');
    expect(await usesOf(code)).toBe(2);
    clock.forward({ minutes: 1 });
    if (begins === '0.2.0') await sweep();
    else {
      await sweepBefore();
      await sweep();
    }
    await settle();
    expect([await usesOf(code), await soldWith(code)]).toEqual([1, 1]);
    expect((await pay(api, await open(api, code))).body.status).toBe('succeeded');
    expect((await pay(api, await open(api, code).catch(() => failing))).status).not.toBe(200);
    expect(await faults()).toEqual([]);
  });

  it('releases the hold of a payment that 0.2.0 finished', async () => {
    const code = await newCode(before, { usage_limit: 1 });
    const session = await open(api, code);
    const { body } = await pay(api, session, cards.slowSuccess);
    expect(body.status).toBe('processing');
    clock.forward({ minutes: 1 });
    await sweepBefore();
    expect((await payments().get(body.payment_id)).status).toBe('succeeded');
    await settle();
    expect(await countedPayments().oldestHolds(code.id, 1)).toEqual([]);
    expect([await usesOf(code), await soldWith(code)]).toEqual([1, 1]);
    expect(await faults()).toEqual([]);
  });

  describe('with only a limit for each customer', () => {
    const each = (most: number) => newCode(before, { per_customer_usage_limit: most });
    const buy = async (by: Caller, code: Code, card?: string) => {
      const { status, body } = await pay(by, await open(by, code), card, `${code.id}@example.com`);
      return [status, body.code ?? body.status];
    };
    const refused = [422, 'DISCOUNT_CUSTOMER_NOT_ELIGIBLE'];

    it('includes the sales of 0.2.0 in this version’s count', async () => {
      const code = await each(1);
      expect(await buy(before, code)).toEqual([200, 'succeeded']);
      expect(await buy(api, code)).toEqual(refused);
    });

    it('cannot be used again through 0.2.0 once this version counts: nothing is charged', async () => {
      const code = await each(1);
      expect(await buy(api, code)).toEqual([200, 'succeeded']);
      expect(await buy(before, code)).toEqual([503, 'DISCOUNT_CONCURRENT_REDEMPTION']);
      expect(await buy(api, code)).toEqual(refused);
      expect(await usesOf(code)).toBe(1);
    });

    it('keeps the count of an earlier payment when 0.2.0 ends a failed payment of this version', async () => {
      const code = await each(2);
      expect(await buy(before, code)).toEqual([200, 'succeeded']);
      expect(await buy(api, code, cards.slowDecline)).toEqual([200, 'processing']);
      clock.forward({ minutes: 1 });
      await sweepBefore();
      clock.forward({ minutes: 5 });
      await sweep();
      expect(await usesOf(code)).toBe(1);
      expect(await buy(api, code)).toEqual([200, 'succeeded']);
      expect(await buy(api, code)).toEqual(refused);
      expect(await faults()).toEqual([]);
    });
  });

  it.each([1, 2, 3])('with seven uses never sells an eighth, in any mix of versions (seed %i)', async (seed) => {
    const random = seeded(seed);
    const either = (): Caller => (random() < 0.5 ? api : before);
    const code = await newCode(before, { usage_limit: 7 });
    const sessions = await Promise.all(times(30).map(() => open(either(), code)));
    const draw = () =>
      [cards.good, cards.slowSuccess, cards.slowDecline, cards.declined][Math.floor(random() * 4)] as string;
    await Promise.all(sessions.map((session) => pay(either(), session, draw())));
    expect(await usesOf(code)).toBeLessThanOrEqual(7);
    await settle();
    for (const session of sessions) await pay(api, session);
    expect([await usesOf(code), await soldWith(code)]).toEqual([7, 7]);
    expect(await faults()).toEqual([]);
  });
});
