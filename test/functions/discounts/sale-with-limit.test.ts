import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { table } from '../../../shared/wiring/runtime.ts';
import { campaign, tally, times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { contend } from '../../support/table/contended-table.ts';
import { inVirtualTime } from '../../support/virtual-time.ts';

let api: Api;
let productId: string;
let contention: ReturnType<typeof contend> | undefined;
beforeAll(async () => {
  api = await startApi();
  productId = await addProduct(api);
});
afterEach(() => contention?.restore());
afterAll(() => api.stop());

async function codeWith(usage_limit: number): Promise<{ discount_id: string; code: string }> {
  const body = { type: 'percentage', amount: 2_000, usage_limit };
  return (await api.call('POST /discounts', { body })).body;
}

const sessionsWith = (code: string, count: number): Promise<string[]> =>
  Promise.all(
    times(count).map(() => createSession(api, [{ product_id: productId, quantity: 1 }], { discount_codes: [code] })),
  );

const buyers = campaign(600, 600, 240);
const perSecond = 150;

/** Buyers who come one after another, 150 in each second, at the pace, the conflicts and the limits of DynamoDB. */
async function sell(sessions: readonly string[], networks = 200): Promise<{ codes: string[]; p95Ms: number }> {
  const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };
  contention = contend();
  const took: number[] = [];
  const codes = await Promise.all(
    sessions.map(async (id, index) => {
      await pause((index / perSecond) * 1_000);
      const startedAt = performance.now();
      const body = { ...buyer, customer: { ...buyer.customer, email: `b${index}@example.com` }, test_card: '4242' };
      const source = `198.18.0.${index % networks}`;
      const answer = await api.call(`POST /checkout/${id}/pay`, { key: null, body, source });
      took.push(performance.now() - startedAt);
      return String(answer.body.status === 'succeeded' ? answer.body.status : answer.body.code);
    }),
  );
  contention.restore();
  return { codes, p95Ms: Math.round(took.sort((a, b) => a - b)[Math.floor(0.95 * took.length)] ?? 0) };
}

/** Loads what a payment needs, so that the sale has its pace from the beginning. */
const warmUp = async () => sell(await sessionsWith((await codeWith(1)).code, 1));

describe('a sale of 150 buyers a second with a code that has a limit', () => {
  it.each([
    { limit: buyers, sold: { succeeded: buyers } },
    { limit: buyers - 100, sold: { succeeded: buyers - 100, DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED: 100 } },
  ])(`sells to exactly $limit of ${buyers} buyers, and to every buyer who got a use`, async ({ limit, sold }) => {
    const { discount_id: id, code } = await codeWith(limit);
    const sessions = await sessionsWith(code, buyers);
    await warmUp();
    const { codes, p95Ms } = await inVirtualTime(() => sell(sessions));
    console.log(
      `limit ${limit}: p95 ${p95Ms} ms, ${contention?.conflicts} conflicts, ${contention?.throttled} throttled`,
    );
    expect(tally(codes)).toEqual(sold);
    expect(p95Ms).toBeLessThanOrEqual(300);
    expect((await api.call(`GET /discounts/${id}`)).body.times_used).toBe(limit);
    expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
  });

  it('sells to half as many at once behind one address, without a refusal', async () => {
    const { discount_id: id, code } = await codeWith(2_000);
    const sessions = await sessionsWith(code, Math.ceil(buyers / 2));
    await warmUp();
    const { codes, p95Ms } = await inVirtualTime(() => sell(sessions, 1));
    console.log(`one address: p95 ${p95Ms} ms, ${contention?.conflicts} conflicts`);
    expect(tally(codes)).toEqual({ succeeded: sessions.length });
    expect((await api.call(`GET /discounts/${id}`)).body.times_used).toBe(sessions.length);
  });

  it('ends at once when the code is deleted', async () => {
    const { discount_id: id, code } = await codeWith(2_000);
    const sessions = await sessionsWith(code, buyers);
    await warmUp();
    const codes = await inVirtualTime(async () => {
      const sold = sell(sessions);
      await pause(400);
      const startedAt = performance.now();
      expect((await api.call(`DELETE /discounts/${id}`)).status).toBe(200);
      console.log(`deleted after ${Math.round(performance.now() - startedAt)} ms`);
      return (await sold).codes;
    });
    const { succeeded = 0, INVALID_DISCOUNT_CODE: refused = 0 } = tally(codes);
    expect([succeeded + refused, succeeded > 0, refused > 0]).toEqual([sessions.length, true, true]);
  });
});
