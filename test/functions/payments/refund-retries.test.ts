import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { clock } from '../../support/clock.ts';
import { awsError, onEveryCommit, onNextCommit } from '../../support/faults/faults.ts';
import { type Api, type ApiAnswer, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, sell } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let books: [string, string];
beforeAll(async () => {
  api = await startApi({ ...testMerchant, refundWindowDays: 14 });
  const price = { ...fieldGuide.price, price: 1_190 };
  const inclusive = await addProduct(api, { price, tax_category: 'saas' });
  const exclusive = await addProduct(api, { price: { ...price, price: 2_000, tax_inclusive: false } });
  books = [inclusive, exclusive];
});
afterEach(() => clock.run());
afterAll(() => api.stop());
useShortPauses();

const unknown = (prefix: string) => `${prefix}_${'x'.repeat(21)}`;
/** 11.90 with 19 % inside (net 10.00, tax 1.90), and 20.00 with 7 % on top (gross 21.40, tax 1.40): 33.30, of which 3.30 is tax. */
async function order(asked: Partial<Submission> = {}): Promise<string> {
  const sessionId = await createSession(api, [
    { product_id: books[0], quantity: 1 },
    { product_id: books[1], quantity: 1 },
  ]);
  return (await pay(sessionId, { expectedTotal: 3_330, ...asked })).id;
}

const refund = (paymentId: string, fields: object = {}, headers: Record<string, string> = {}) =>
  api.call('POST /refunds', { body: { payment_id: paymentId, ...fields }, headers });
const paymentOf = async (id: string) => (await api.call(`GET /payments/${id}`)).body;

describe('a refund with an Idempotency-Key', () => {
  const isReplay = (answer: ApiAnswer, of: ApiAnswer) => {
    expect({ status: answer.status, text: answer.text }).toEqual({ status: of.status, text: of.text });
    expect(answer.headers['idempotent-replayed']).toBe('true');
    expect(of.headers['idempotent-replayed']).toBeUndefined();
  };
  let serial = 0;
  const newKey = () => {
    serial += 1;
    return { 'idempotency-key': `refund-${serial}` };
  };
  const left = async (id: string) => (await paymentOf(id)).refundable_amount;

  it('is made once: a repeated request gets the same answer byte for byte', async () => {
    const [id, key] = [await order(), newKey()];
    const first = await refund(id, { amount: 100 }, key);
    for (let time = 0; time < 5; time += 1) isReplay(await refund(id, { amount: 100 }, key), first);
    expect(await left(id)).toBe(3_230);
  });

  it('is made once when ten equal requests arrive at the same time', async () => {
    const [id, key] = [await order(), newKey()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { amount: 100 }, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await left(id)).toBe(3_230);
  });

  it('is refused with one answer when ten equal requests arrive at the same time', async () => {
    const [id, key] = [await order(), newKey()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { amount: 9_999 }, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    for (const answer of answers) expectProblem(answer, 422, 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT');
  });

  it('counts as a new refund after 48 hours: replayed after 47 hours, new after 49', async () => {
    const key = newKey();
    clock.stopAt('2026-03-01T12:00:00Z');
    const id = await order();
    const first = await refund(id, { amount: 100 }, key);
    clock.forward({ hours: 47 });
    isReplay(await refund(id, { amount: 100 }, key), first);
    clock.forward({ hours: 2 });
    const second = await refund(id, { amount: 100 }, key);
    expect(second.body.refund_id).not.toBe(first.body.refund_id);
    isReplay(await refund(id, { amount: 100 }, key), second);
    expect(await left(id)).toBe(3_130);
  });

  it('422: is refused when the key comes with another body, and changes nothing', async () => {
    const [id, key] = [await order(), newKey()];
    await refund(id, { amount: 100 }, key);
    expectProblem(await refund(id, { amount: 101 }, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await left(id)).toBe(3_230);
  });

  it.each([
    ['a refusal of the amount', async (id: string) => ({ payment_id: id, amount: 9_999 }), 422],
    ['an unknown payment', async () => ({ payment_id: unknown('pay') }), 404],
  ])('is refused the same way again after %s', async (_, bodyOf, status) => {
    const [id, headers] = [await order(), newKey()];
    const body = await bodyOf(id);
    const first = await api.call('POST /refunds', { body, headers });
    expect(first.status).toBe(status);
    isReplay(await api.call('POST /refunds', { body, headers }), first);
  });

  it('is refused again with the same answer, even if it could succeed now', async () => {
    const [id, key] = [await order({ card: cards.failingRefunds }), newKey()];
    const { body } = await refund(id);
    const first = await refund(id, {}, key);
    expectProblem(first, 422, 'NOTHING_TO_REFUND');
    await finishRefund(body.refund_id);
    isReplay(await refund(id, {}, key), first);
  });

  it.each([
    ['an invalid body', async (id: string, headers: object) => refund(id, { amount: 'x' }, { ...headers })],
    [
      'broken JSON',
      async (_: string, headers: object) =>
        api.call('POST /refunds', { raw: Buffer.from('{'), headers: { ...headers } }),
    ],
    [
      'no key',
      async (id: string, headers: object) =>
        api.call('POST /refunds', { body: { payment_id: id }, headers: { ...headers }, key: null }),
    ],
    [
      'a wrong content type',
      async (id: string, headers: object) => refund(id, {}, { ...headers, 'content-type': 'text/plain' }),
    ],
    [
      'a body that is too large',
      async (_: string, headers: object) =>
        api.call('POST /refunds', { raw: Buffer.alloc(300_000), headers: { ...headers } }),
    ],
  ])('can be corrected under the same key after %s', async (_, attempt) => {
    const [id, key] = [await order(), newKey()];
    expect((await attempt(id, key)).status).toBeGreaterThanOrEqual(400);
    expect((await refund(id, { amount: 100 }, key)).status).toBe(200);
  });

  it('can be repeated after a 503, which changed nothing', async () => {
    const [id, key] = [await order(), newKey()];
    const { heal } = onEveryCommit(() => Promise.reject(awsError('ThrottlingException')));
    expectProblem(await refund(id, { amount: 100 }, key), 503, 'SERVICE_UNAVAILABLE');
    heal();
    expect(await left(id)).toBe(3_330);
    expect((await refund(id, { amount: 100 }, key)).status).toBe(200);
    expect(await left(id)).toBe(3_230);
  });

  it('can be repeated after a 500, which changed nothing and reveals no details', async () => {
    const [id, key] = [await order(), newKey()];
    onNextCommit(() => Promise.reject(new Error('secret insides')));
    const failed = await refund(id, { amount: 100 }, key);
    expectProblem(failed, 500, 'INTERNAL_SERVER_ERROR');
    expect(failed.text).not.toMatch(/secret/);
    expect((await refund(id, { amount: 100 }, key)).status).toBe(200);
    expect(await left(id)).toBe(3_230);
  });

  it('is made once when the database’s confirmation is lost (aws/aws-sdk-java#2667)', async () => {
    const [id, key] = [await order(), newKey()];
    const { heal } = onEveryCommit(async (commit) => {
      await commit();
      throw awsError('TimeoutError');
    });
    expect((await refund(id, { amount: 100 }, key)).status).toBe(503);
    heal();
    const again = await refund(id, { amount: 100 }, key);
    expect({ status: again.status, replayed: again.headers['idempotent-replayed'] }).toEqual({
      status: 200,
      replayed: 'true',
    });
    expect(await left(id)).toBe(3_230);
  });
});

describe('an SDK’s automatic retry of a refund without an Idempotency-Key', () => {
  const retry = { 'x-stainless-retry-count': '1' };
  const original = { 'x-stainless-retry-count': '0' };
  const left = async (id: string) => (await paymentOf(id)).refundable_amount;

  it('gets the answer of the first request and refunds nothing more', async () => {
    const id = await order();
    const first = await refund(id, { amount: 100 }, original);
    for (const count of ['1', '2']) {
      const again = await refund(id, { amount: 100 }, { 'x-stainless-retry-count': count });
      expect(again.text).toBe(first.text);
      expect(again.headers['idempotent-replayed']).toBe('true');
    }
    expect(await left(id)).toBe(3_230);
  });

  it('pays once when it is stored before the original request, which was only delayed', async () => {
    const id = await order();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    onNextCommit(async (commit) => {
      hold();
      await released;
      return commit();
    });
    const slow = refund(id, { amount: 100 }, original);
    await held;
    const fast = await refund(id, { amount: 100 }, retry);
    release();
    const late = await slow;
    expect(fast.status).toBe(200);
    expect(late.text).toBe(fast.text);
    expect(late.headers['idempotent-replayed']).toBe('true');
    expect(await left(id)).toBe(3_230);
  });

  it('pays once when the original request starts only after the retry has ended', async () => {
    const id = await order();
    const call = (headers: Record<string, string>, arrivedAt: string) =>
      api.call('POST /refunds', { body: { payment_id: id, amount: 100 }, headers, arrivedAt: new Date(arrivedAt) });
    const fast = await call(retry, '2026-03-01T12:00:00.500Z');
    const late = await call(original, '2026-03-01T12:00:00.000Z');
    expect(late.text).toBe(fast.text);
    expect(late.headers['idempotent-replayed']).toBe('true');
    expect(await left(id)).toBe(3_230);
    const meant = await call(original, '2026-03-01T12:00:01.000Z');
    expect(meant.headers['idempotent-replayed']).toBeUndefined();
    expect(await left(id)).toBe(3_130);
  });

  it('pays once when it arrives at the same time as the original request', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await order();
      const answers = await Promise.all([refund(id, { amount: 100 }, original), refund(id, { amount: 100 }, retry)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0].text).toBe(answers[1].text);
      expect(await left(id)).toBe(3_230);
    }
  });

  it('pays once when the confirmation of the original request was lost', async () => {
    const id = await order();
    const { heal } = onEveryCommit(async (commit) => {
      await commit();
      throw awsError('TimeoutError');
    });
    expect((await refund(id, { amount: 100 }, original)).status).toBe(503);
    heal();
    expect((await refund(id, { amount: 100 }, retry)).headers['idempotent-replayed']).toBe('true');
    expect(await left(id)).toBe(3_230);
  });

  it('is made when the original request never arrived, and a second retry does not repeat it', async () => {
    const id = await order();
    const first = await refund(id, { amount: 100 }, retry);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect((await refund(id, { amount: 100 }, retry)).text).toBe(first.text);
    expect(await left(id)).toBe(3_230);
  });

  it('is not confused with a second intended refund: two intended refunds are both paid', async () => {
    const id = await order();
    clock.stopAt('2026-03-01T12:00:00Z');
    await refund(id, { amount: 100 }, original);
    await refund(id, { amount: 100 });
    clock.forward({ milliseconds: 1 });
    await refund(id, { amount: 100 }, retry);
    expect(await left(id)).toBe(3_130);
    clock.forward({ milliseconds: 1 });
    await refund(id, { amount: 100 }, original);
    expect(await left(id)).toBe(3_030);
  });

  it('counts as a new refund with another body, another API key, or after ten minutes', async () => {
    const id = await order();
    clock.stopAt(new Date().toISOString());
    await refund(id, { amount: 100 }, original);
    await refund(id, { amount: 101 }, retry);
    const key = await api.addKey({});
    await api.call('POST /refunds', { body: { payment_id: id, amount: 100 }, headers: retry, key });
    expect(await left(id)).toBe(3_330 - 100 - 101 - 100);
    clock.forward({ minutes: 10, milliseconds: -1 });
    await refund(id, { amount: 100 }, retry);
    expect(await left(id)).toBe(3_330 - 301);
    clock.forward({ milliseconds: 1 });
    await refund(id, { amount: 100 }, retry);
    expect(await left(id)).toBe(3_330 - 401);
  });

  it('does not apply to a command that pays no money out: the command runs again', async () => {
    const create = () => api.call('POST /products', { body: fieldGuide, headers: retry });
    expect((await create()).body.product_id).not.toBe((await create()).body.product_id);
    expect((await sell(api)).paymentId).toMatch(/^pay_/);
  });
});
