import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { campaign, tally, times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { contend } from '../../support/table/contended-table.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 120_000) });

let api: Api;
let productId: string;
let contention: ReturnType<typeof contend> | undefined;
beforeAll(async () => {
  api = await startApi();
  productId = await addProduct(api);
});
afterEach(() => contention?.restore());
afterAll(() => api.stop());

async function paid(): Promise<string> {
  const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  return (await pay(sessionId, { expectedTotal: 1_999 })).id;
}

/** Refunds one cent, and obeys an answer that says when to come back as often as the official client does: twice. */
async function refundAsClients(paymentId: string): Promise<{ status: number; retries: number; pending: string[] }> {
  const body = { payment_id: paymentId, amount: 1 };
  for (let retries = 0; ; retries += 1) {
    const { status, headers: told, body: refund } = await api.call('POST /refunds', { body });
    if (told['x-should-retry'] !== 'true' || retries === 2)
      return { status, retries, pending: refund.status === 'pending' ? [refund.refund_id] : [] };
    await pause(Number(told['retry-after']) * 1_000);
  }
}

async function expectRefunded(paymentId: string, amount: number): Promise<void> {
  const { payments } = await import('../../../shared/wiring/runtime.ts');
  const { refunded, refundable, refunds } = await payments().get(paymentId);
  expect({ refunded, refundable, refunds: refunds.length }).toEqual({
    refunded: amount,
    refundable: 1_999 - amount,
    refunds: amount,
  });
}

describe('simultaneous refunds on one payment', () => {
  it('all succeed when there are fifty, with the speed and the conflicts of DynamoDB', async () => {
    for (const _ of times(campaign(20, 1))) {
      const paymentId = await paid();
      contention = contend();
      const startedAt = performance.now();
      const outcomes = await Promise.all(times(50).map(() => refundAsClients(paymentId)));
      const took = Math.round(performance.now() - startedAt);
      contention.restore();
      const found = tally(
        outcomes.map(
          ({ status, retries, pending }) => `${status} after ${retries} retries${pending.length ? ', pending' : ''}`,
        ),
      );
      console.log(`fifty refunds at once: ${JSON.stringify(found)}, ${contention.conflicts} conflicts, ${took} ms`);
      expect(contention.conflicts).toBeGreaterThan(50);
      expect(outcomes.filter(({ status }) => status !== 200)).toEqual([]);
      // the sweep ends those whose second transaction did not get its turn
      for (const id of outcomes.flatMap(({ pending }) => pending)) await finishRefund(id);
      await expectRefunded(paymentId, 50);
    }
  });
});
