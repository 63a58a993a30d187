import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { events, payments, sessions, table } from '../../shared/wiring/runtime.ts';
import { clock } from '../support/clock.ts';
import { between, campaign, pickOne, seeded, tally, times } from '../support/seeded.ts';
import { type Api, startApi } from '../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../support/shop/books.ts';
import { cards } from '../support/shop/cards.ts';
import { finishPayment, finishRefund } from '../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, support } from '../support/shop/shop.ts';
import { useShortPauses } from '../support/short-pauses.ts';
import { sendThrough } from '../support/table/send-through.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
let productId: string;
beforeAll(async () => {
  api = await startApi();
  productId = await addProduct(api);
});
afterEach(() => clock.run());
afterAll(() => api.stop());
useShortPauses();

const newSession = (product = productId) => createSession(api, [{ product_id: product, quantity: 1 }]);
const paid = async (card: string = cards.good) => pay(await newSession(), { expectedTotal: 1_999, card });
const refund = (paymentId: string, fields: object = {}) =>
  api.call('POST /refunds', { body: { payment_id: paymentId, ...fields } });
const priced = (price: number, fields: object = {}) => ({ price: { ...fieldGuide.price, price, ...fields } });

async function expectSoundBooks(): Promise<void> {
  expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
}

describe('simultaneous refunds', () => {
  it('never return more than was paid, even if fifty are requested on each payment', async () => {
    const count = campaign(1_000, 4);
    const random = seeded(1);
    const outcomes: string[] = [];
    let over = 0;
    for (const _ of times(count)) {
      const { id } = await paid();
      const answers = await Promise.all(times(50).map(() => refund(id, { amount: between(random, 20, 120) })));
      outcomes.push(...answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()));
      const { refunded, gross } = await payments().get(id);
      const told = answers.reduce((sum, { status, body }) => sum + (status === 200 ? body.amount : 0), 0);
      if (refunded > gross || refunded !== told) over += 1;
    }
    console.log(`B1: ${count} payments × 50 refunds at once: ${over} over-refunds; ${JSON.stringify(tally(outcomes))}`);
    expect(over).toBe(0);
    expect(Object.keys(tally(outcomes)).filter((name) => !/^200$|^422 |^503 /.test(name))).toEqual([]);
    if (count < 100) await expectSoundBooks();
  });

  it('are accepted only for a succeeded payment, up to the amount that no other refund holds', async () => {
    for (const [card, code] of [
      [cards.declined, 'PAYMENT_NOT_SUCCEEDED'],
      [cards.slowSuccess, 'PAYMENT_NOT_SUCCEEDED'],
      [cards.slowDecline, 'PAYMENT_NOT_SUCCEEDED'],
    ] as const)
      expect((await refund((await paid(card)).id)).body.code).toBe(code);
    const { id } = await paid(cards.pendingRefunds);
    expect((await refund(id, { amount: 1_000 })).body.status).toBe('pending');
    expect((await refund(id, { amount: 1_000 })).body.code).toBe('REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT');
    expect((await refund(id, { amount: 999 })).status).toBe(200);
    expect((await refund(id)).body.code).toBe('NOTHING_TO_REFUND');
  });

  it('hold their amount while pending, and free it once when they fail, even if the failure is reported often', async () => {
    const { id } = await paid(cards.failingRefunds);
    for (const round of times(3)) {
      const { body } = await refund(id, { amount: 1_999 - round });
      expect((await refund(id, { amount: 1_999 })).status).toBe(422);
      await Promise.all(times(8).map(() => finishRefund(body.refund_id)));
      await finishRefund(body.refund_id);
      expect(await payments().get(id)).toMatchObject({ refundable: 1_999, pending: 0, refunded: 0 });
    }
    await expectSoundBooks();
  });
});

describe('simultaneous payments', () => {
  it('of one session make one payment and one event, even if there are fifty', async () => {
    const count = campaign(200, 8);
    const product = await addProduct(api, support);
    const losers: string[] = [];
    let [paidOnce, told] = [0, 0];
    for (const _ of times(count)) {
      const sessionId = await newSession(product);
      const outcomes = await Promise.allSettled(
        times(50).map((n) => pay(sessionId, { amounts: new Map([[product, 500 + n]]), expectedTotal: 500 + n })),
      );
      const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value.id);
      const { paymentId } = await sessions().get(sessionId);
      const payment = await payments().get(paymentId ?? '');
      if (won.length === 1 && won[0] === paymentId && payment.status === 'succeeded') paidOnce += 1;
      if (payment.events === 1) told += 1;
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') {
          losers.push(outcome.reason.code);
        }
    }
    expect(events()).toBeDefined();
    console.log(
      `B4: ${count} sessions × 50 at once: ${paidOnce} paid once, ${told} events; ${JSON.stringify(tally(losers))}`,
    );
    expect({ paidOnce, told }).toEqual({ paidOnce: count, told: count });
    expect(Object.keys(tally(losers)).filter((name) => name !== 'CHECKOUT_SESSION_CONSUMED')).toEqual([]);
  });

  it('are refused from the eleventh attempt on, even if all attempts come at once', async () => {
    const sessionId = await newSession();
    const attempts = await Promise.allSettled(
      times(30).map(() => pay(sessionId, { expectedTotal: 1_999, card: cards.declined })),
    );
    const more: string[] = [];
    for (const _ of times(12))
      await pay(sessionId, { expectedTotal: 1_999, card: cards.declined }).catch(({ code }) => more.push(code));
    const session = await sessions().get(sessionId);
    expect(session).toMatchObject({ attempts: 10, status: 'open', paymentStatus: 'failed' });
    expect(attempts.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(10);
    expect(new Set(more)).toEqual(new Set(['CHECKOUT_SESSION_CONSUMED']));
    const good = pay(sessionId, { expectedTotal: 1_999 });
    await expect(good).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
    await expectSoundBooks();
  });

  it('that fail move no money, and are reported once', async () => {
    const sessionId = await newSession();
    const failed = await pay(sessionId, { expectedTotal: 1_999, card: cards.insufficientFunds });
    expect(failed).toMatchObject({ status: 'failed', errorCode: 'INSUFFICIENT_FUNDS', events: 1, refunded: 0 });
    expect((await pay(sessionId, { expectedTotal: 1_999 })).id).not.toBe(failed.id);
    await expectSoundBooks();
  });
});

describe('the amount that is charged', () => {
  it('is what the session showed, even if the product has changed since then', async () => {
    const count = campaign(500, 40);
    const random = seeded(6);
    let charged = 0;
    for (const _ of times(count)) {
      const product = await addProduct(api);
      const sessionId = await newSession(product);
      const price = between(random, 50, 99_999);
      const changes = [
        priced(price),
        { tax_inclusive: false },
        { name: 'Renamed' },
        { tax_category: 'saas' },
        priced(price, { currency: 'USD' }),
        { ...priced(price), description: 'Another.' },
      ];
      for (const body of [pickOne(random, changes), pickOne(random, changes)])
        await api.call(`PATCH /products/${product}`, { body });
      const payment = await pay(sessionId, { expectedTotal: 1_999 });
      const { name, taxCategory, taxInclusive } = payment.lines[0] ?? {};
      const isSame = name === fieldGuide.name && taxCategory === 'e_book' && taxInclusive === true;
      if (payment.gross === 1_999 && payment.tax === 131 && payment.currency === 'EUR' && isSame) charged += 1;
    }
    console.log(`B6: charged what the session said: ${charged} of ${count}`);
    expect(charged).toBe(count);
  });

  it('is charged even if the product was archived since then (polarsource/polar#4621)', async () => {
    const product = await addProduct(api);
    const sessionId = await newSession(product);
    expect((await api.call(`DELETE /products/${product}`)).status).toBe(200);
    expect(await pay(sessionId, { expectedTotal: 1_999 })).toMatchObject({ status: 'succeeded', gross: 1_999 });
  });

  const amounts = [
    '0',
    '-1',
    '499',
    '-0',
    '1e400',
    '-1e400',
    '"500"',
    '5.5',
    '500.0000001',
    '9007199254740993',
    '2147483648',
  ];
  const others = [
    'true',
    '[]',
    '[500]',
    '{}',
    '"0x1f4"',
    'NaN',
    '1e-400',
    '"1_000"',
    '" 600"',
    '00600',
    '+600',
    '0x1F4',
  ];

  it('is a whole number of minor units within the session’s limits when the buyer chooses it', async () => {
    const count = campaign(1_000, 250);
    const random = seeded(8);
    const product = await addProduct(api, { ...support, price: { ...support.price, maximum_price: 5_000 } });
    let [right, sold] = [0, 0];
    for (const index of times(count)) {
      const isWild = index < amounts.length + others.length || random() < 0.5;
      const text = isWild ? ([...amounts, ...others][index % 23] ?? '') : String(between(random, -100, 6_000));
      const raw = Buffer.from(`{"product_cart":[{"product_id":"${product}","quantity":1,"amount":${text}}]}`);
      const { status } = await api.call('POST /checkouts', { raw });
      const isLegal =
        /^\d+$/.test(text) && String(Number(text)) === text && Number(text) >= 500 && Number(text) <= 5_000;
      if ((status === 200) === isLegal) right += 1;
      if (status === 200) sold += 1;
    }
    const sessionId = await newSession(product);
    for (const amount of [0, 499, 5_001, 5.5, -1, Number.NaN]) {
      const attempt = pay(sessionId, { amounts: new Map([[product, amount]]), expectedTotal: amount });
      await expect(attempt, String(amount)).rejects.toThrow();
    }
    console.log(`B8: ${right} of ${count} fuzzed amounts answered rightly, ${sold} of them legal`);
    expect(right).toBe(count);
  });

  it('is the fixed price of a product, even if the client sends another amount', async () => {
    const sessionId = await createSession(api, [{ product_id: productId, quantity: 1, amount: 1 }]);
    const chosen = { amounts: new Map([[productId, 1]]) };
    await expect(pay(sessionId, { ...chosen, expectedTotal: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await pay(sessionId, { ...chosen, expectedTotal: 1_999 })).gross).toBe(1_999);
  });

  it('fits into 32 bits, per line and in total, and each quantity is at least 1', async () => {
    const most = 2_147_483_647;
    const large = await addProduct(api, priced(most));
    const half = await addProduct(api, priced(1_073_741_824));
    const cartOf = (...lines: [string, number][]) => ({
      product_cart: lines.map(([product_id, quantity]) => ({ product_id, quantity })),
    });
    const codeOf = async (body: object) => (await api.call('POST /checkouts', { body })).body.code;
    for (const quantity of [0, -1, 1.5])
      expect(await codeOf(cartOf([productId, quantity]))).toBe('INVALID_REQUEST_BODY');
    expect(await codeOf(cartOf([large, 1]))).toBeUndefined();
    expect(await codeOf(cartOf([large, 2]))).toBe('INTEGER_CONVERSION_FAILURE');
    expect(await codeOf(cartOf([half, 1]))).toBeUndefined();
    expect(await codeOf(cartOf([half, 2]))).toBe('INTEGER_CONVERSION_FAILURE');
    expect(await codeOf(cartOf([half, 1], [large, 1]))).toBe('INTEGER_CONVERSION_FAILURE');
    const wanted = await addProduct(api, support);
    const sessionId = await createSession(api, [{ product_id: wanted, quantity: 2 }]);
    const tooMuch = pay(sessionId, { amounts: new Map([[wanted, 1_073_741_824]]), expectedTotal: most + 1 });
    await expect(tooMuch).rejects.toMatchObject({ code: 'INTEGER_CONVERSION_FAILURE' });
    const exclusive = await addProduct(api, { ...priced(most, { tax_inclusive: false }), tax_category: 'saas' });
    const withTax = pay(await newSession(exclusive), { expectedTotal: Math.round(most * 1.19) });
    await expect(withTax).rejects.toMatchObject({ code: 'INTEGER_CONVERSION_FAILURE' });
    const all = await pay(await newSession(large), { expectedTotal: most });
    expect((await refund(all.id)).body.amount).toBe(most);
  });

  it('can be charged until the last millisecond of the session, and not in the next', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const [early, late] = [await newSession(), await newSession()];
    clock.stopAt('2026-03-02T11:59:59.999Z');
    expect((await pay(early, { expectedTotal: 1_999 })).status).toBe('succeeded');
    clock.forward({ milliseconds: 1 });
    await expect(pay(late, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_EXPIRED' });
  });

  it('stays right for sales and refunds even if every index is a day old', async () => {
    const restore = sendThrough(
      table().client,
      (send) => async (command) => (command.constructor.name === 'QueryCommand' ? { Items: [] } : send(command)),
    );
    const { id } = await paid(cards.failingRefunds);
    const { body } = await refund(id, { amount: 1_500 });
    expect((await refund(id, { amount: 500 })).status).toBe(422);
    await finishRefund(body.refund_id);
    expect((await refund(id)).body.amount).toBe(1_999);
    const slow = await paid(cards.slowSuccess);
    await finishPayment(slow.id);
    expect((await refund(slow.id)).body.amount).toBe(1_999);
    restore();
    await expectSoundBooks();
  });

  it('follows from the rows alone, because refunds and events add up to the counters', async () => {
    await expectSoundBooks();
  });
});
