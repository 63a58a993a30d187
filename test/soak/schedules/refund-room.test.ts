import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideRefund } from '../../../shared/domain/payments/refund.ts';
import { times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { aPayment, refundOf } from '../../support/shop/payments.ts';
import { addProduct, createSession, fieldGuide, pay } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const globe = '🌍';
const metadata = Object.fromEntries(times(50).map((n) => [`${'k'.repeat(36)}-${100 + n}`, globe.repeat(500)]));

/** The largest payment that an API call can bring about: 20 lines, everything as long as it may be, in four bytes a character. */
async function largestPayment(): Promise<string> {
  const product = { ...fieldGuide, name: globe.repeat(100), description: globe.repeat(1_000) };
  const cart: { product_id: string; quantity: number }[] = [];
  for (const _ of times(20)) cart.push({ product_id: await addProduct(api, product), quantity: 1 });
  const session = await createSession(api, cart, { metadata });
  return (await pay(session, { expectedTotal: 20 * 1_999 })).id;
}

describe('a payment that is refunded in very many parts', () => {
  it('reports when there is no room for another part, and can still refund the rest at once', async () => {
    const id = await largestPayment();
    const refund = (fields: object) => api.call('POST /refunds', { body: { payment_id: id, ...fields } });
    const part = { amount: 1, reason: globe.repeat(3_000) };
    let parts = 0;
    let answer = await refund(part);
    for (; answer.status === 200; parts += 1) answer = await refund(part);
    console.log(`The largest payment takes ${parts} parts with the longest of reasons`);
    expectProblem(answer, 422, 'PARTIAL_REFUND_NOT_ALLOWED');
    expect(answer.body.message).toMatch(
      /^This payment has \d+ refunds and its record has no room for another\. Refund the whole rest/,
    );
    const rest = await refund({ reason: part.reason });
    expect(rest.body).toMatchObject({ status: 'succeeded', amount: 20 * 1_999 - parts });
    const { body } = await api.call(`GET /payments/${id}`);
    expect(body).toMatchObject({ refundable_amount: 0, refund_status: 'full' });
    expect(body.refunds).toHaveLength(parts + 1);
  });

  it('accepts more than a thousand parts of usual size', () => {
    let payment = aPayment([{ unitAmount: 100_000 }]);
    const refundPart = (reason: string) => {
      const ids = { id: `ref_${String(payment.refunds.length).padStart(21, '0')}`, now: '2026-03-02T12:00:00.000Z' };
      payment = decideRefund(payment, refundOf({ amount: 1, reason }), ids).after;
    };
    for (const _ of times(1_001)) refundPart('Damaged');
    const fillUp = () => {
      for (;;) refundPart('x'.repeat(3_000)); // long reasons, as each further part costs more time than the one before
    };
    expect(fillUp).toThrow(expect.objectContaining({ code: 'PARTIAL_REFUND_NOT_ALLOWED' }));
    const rest = decideRefund(payment, refundOf(), { id: 'ref_rest', now: '2026-03-02T12:00:00.000Z' });
    expect(rest.refund.amount).toBe(100_000 - payment.refunds.length);
  });
});
