import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { refundAllowances } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';
import { countRows } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const at = '2026-03-01T12:00:00.000Z';
const limited = (amount: number, currency = 'EUR') =>
  api.addKey({ access: 'write', refunds: { perDay: { amount, currency } } });

const refund = (key: string, payment_id: string, amount: number, headers = {}) =>
  api.call('POST /refunds', { key, headers, body: { payment_id, amount } });

const sold = async (card: string = cards.good): Promise<string> => (await sell(api, { card })).paymentId;
const spent = async (key: string, day = at) => (await refundAllowances().get(hashApiKey(key), day.slice(0, 10))).spent;

describe('an API key with a daily refund limit', () => {
  it('refunds up to the limit, summed over all payments, and again on the next day', async () => {
    clock.stopAt('2026-03-01T23:59:59.999Z');
    const [key, one, other] = [await limited(1_000), await sold(), await sold()];
    expect((await refund(key, one, 600)).status).toBe(200);
    const before = await countRows(api);
    const refused = await refund(key, other, 401);
    expectProblem(refused, 422, 'REFUND_LIMIT_EXCEEDED');
    expect(refused.body.message).toContain('1000 EUR a day, in minor units; 400 are left');
    expect(await countRows(api)).toEqual(before);
    expect((await refund(key, other, 400)).status).toBe(200);
    expectProblem(await refund(key, one, 1), 422, 'REFUND_LIMIT_EXCEEDED');
    clock.stopAt('2026-03-02T00:00:00.000Z');
    expect((await refund(key, one, 1_000)).status).toBe(200);
    expect([await spent(key), await spent(key, '2026-03-02')]).toEqual([1_000, 1_000]);
  });

  it('never exceeds the limit when many refunds arrive at once', async () => {
    clock.stopAt(at);
    const key = await limited(1_000);
    const payments = await Promise.all(Array.from({ length: 12 }, () => sold()));
    const answers = await Promise.all(payments.map((id) => refund(key, id, 300)));
    const done = answers.filter(({ status }) => status === 200).length;
    expect(done).toBeLessThanOrEqual(3);
    expect(await spent(key)).toBe(done * 300);
    for (const { status } of answers) expect([200, 422, 503]).toContain(status);
  });

  it('refunds only in the currency of the limit', async () => {
    const [key, id] = [await limited(1_000, 'USD'), await sold()];
    const refused = await refund(key, id, 1);
    expectProblem(refused, 422, 'REFUND_LIMIT_EXCEEDED');
    expect(refused.body.message).toContain('USD only');
  });

  it('counts a refund once when it is requested twice with one Idempotency-Key', async () => {
    clock.stopAt(at);
    const [key, id] = [await limited(1_000), await sold()];
    const headers = { 'idempotency-key': 'once' };
    await refund(key, id, 700, headers);
    expect((await refund(key, id, 700, headers)).headers['idempotent-replayed']).toBe('true');
    expect(await spent(key)).toBe(700);
  });

  it('counts a refund that fails as well', async () => {
    clock.stopAt(at);
    const [key, id] = [await limited(1_000), await sold(cards.failingRefunds)];
    const { body } = await refund(key, id, 700);
    const { settleRefund } = await import('../../../shared/use-cases/payments/settle-refund.ts');
    const { newId, now, payments } = await import('../../../shared/wiring/runtime.ts');
    const { processor } = await import('../../../shared/wiring/selling.ts');
    await settleRefund({ payments: payments(), processor: processor(), alert: () => {}, now, newId }, body.refund_id);
    expect((await api.call(`GET /refunds/${body.refund_id}`)).body.status).toBe('failed');
    expect(await spent(key)).toBe(700);
    expectProblem(await refund(key, id, 301), 422, 'REFUND_LIMIT_EXCEEDED');
  });

  it('has the same limit in the dashboard, where the form explains the refusal', async () => {
    clock.stopAt(at);
    const [key, id] = [await limited(1_000), await sold()];
    const { cookies, token } = await browse(api, key);
    const form = { token, form_id: 'f', scope: 'amount', basis: 'gross', expected: '1999', action: 'refund' };
    const path = `/dashboard/payments/${id}`;
    expect((await postForm(api, path, { ...form, amount: '7.00', confirmed: '700' }, cookies)).status).toBe(303);
    expect(await spent(key)).toBe(700);
    const refused = await postForm(api, path, { ...form, expected: '1299', amount: '3.01', confirmed: '301' }, cookies);
    expect([
      refused.status,
      refused.text.includes('Your daily limit for refunds does not allow this amount today.'),
    ]).toEqual([422, true]);
    expect(await spent(key)).toBe(700);
  });
});

it('a key without a refund limit writes no row that counts its refunds', async () => {
  const { ALLOWANCE: before } = await countRows(api);
  const key = await api.addKey({ access: 'write' });
  expect((await refund(key, await sold(), 100)).status).toBe(200);
  expect((await countRows(api))['ALLOWANCE']).toBe(before);
});
