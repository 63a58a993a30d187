import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dueRows, now, payments } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { remoteProcessor, useProcessor } from '../../support/faults/remote-processor.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
let productId: string;
let restore = () => {};
beforeAll(async () => {
  api = await startApi();
  productId = await addProduct(api);
});
afterEach(() => {
  restore();
  clock.run();
});
afterAll(() => api.stop());

const down = () => Promise.reject(new Error('The network is down.'));
const paid = async (card: string = cards.good) =>
  pay(await createSession(api, [{ product_id: productId, quantity: 1 }]), { expectedTotal: 1_999, card });
const refund = (paymentId: string, key: string) =>
  api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 }, headers: { 'idempotency-key': key } });
const isDue = async (id: string): Promise<boolean> =>
  (await dueRows().list(now().toISOString(), 1_000)).some((row) => row.id === id);

/** A refund that is committed, and whose processor cannot be asked. */
async function begun() {
  clock.stopAt('2026-03-01T12:00:00.000Z');
  const { id } = await paid();
  const processor = remoteProcessor();
  restore = useProcessor({ ...processor, refund: down, findRefund: down });
  const first = await refund(id, id);
  expect([first.status, first.body.status]).toEqual([200, 'pending']);
  const answers = (fields: Partial<typeof processor> = {}) => {
    restore();
    restore = useProcessor({ ...processor, ...fields });
    return processor;
  };
  return { id, first, refundId: first.body.refund_id as string, answers };
}

describe('a refund whose processor has not answered', () => {
  it('is pending, and a repeated request gets the same answer after the refund has ended', async () => {
    const { id, first, refundId, answers } = await begun();
    expect(await payments().get(id)).toMatchObject({ refundable: 1_499, pending: 500, refunded: 0 });
    answers();
    await finishRefund(refundId);
    expect((await api.call(`GET /refunds/${refundId}`)).body.status).toBe('succeeded');
    const again = await refund(id, id);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });

  it('is listed, and requested again after 30 seconds', async () => {
    const { refundId } = await begun();
    const { items } = (await api.call('GET /refunds')).body;
    expect(items.map((item: { refund_id: string }) => item.refund_id)).toContain(refundId);
    clock.forward({ milliseconds: 29_999 });
    expect(await isDue(refundId)).toBe(false);
    clock.forward({ milliseconds: 1 });
    expect(await isDue(refundId)).toBe(true);
  });

  it('is paid only once when it is requested again', async () => {
    const { id, refundId, answers } = await begun();
    const processor = answers();
    await finishRefund(refundId);
    await finishRefund(refundId);
    expect([...processor.refunded.values()]).toEqual([{ paymentId: id, amount: 500, status: 'succeeded' }]);
    expect(await payments().get(id)).toMatchObject({ refundable: 1_499, pending: 0, refunded: 500, events: 2 });
  });

  it('is searched at the processor before it is sent again, if the processor’s idempotency key may have expired', async () => {
    const { refundId, answers } = await begun();
    const calls: string[] = [];
    const processor = answers({
      findRefund: (attempt) => {
        calls.push('find');
        return processor.findRefund(attempt);
      },
      refund: (attempt) => {
        calls.push('refund');
        return processor.refund(attempt);
      },
    });
    clock.forward({ hours: 23 });
    await finishRefund(refundId);
    expect(calls).toEqual(['find', 'refund']);
    expect((await payments().getRefund(refundId)).status).toBe('succeeded');
  });
});

describe('a refund that stays pending at the processor', () => {
  it('keeps the processor’s id, is checked there, and is never sent again', async () => {
    const { id } = await paid();
    const processor = remoteProcessor({ refund: 'pending', ends: 'failed' });
    restore = useProcessor(processor);
    const { body } = await refund(id, id);
    expect(await payments().getRefund(body.refund_id)).toMatchObject({ status: 'pending', reference: body.refund_id });
    restore();
    restore = useProcessor({ ...processor, refund: down });
    await finishRefund(body.refund_id);
    processor.finish();
    await finishRefund(body.refund_id);
    expect(await payments().getRefund(body.refund_id)).toMatchObject({ status: 'failed', failureReason: 'declined' });
    expect(await payments().get(id)).toMatchObject({ refundable: 1_999, pending: 0, refunded: 0 });
  });

  it('stays pending when the processor no longer knows it', async () => {
    const { id } = await paid();
    restore = useProcessor(remoteProcessor({ refund: 'pending' }));
    const { body } = await refund(id, id);
    restore();
    restore = useProcessor(remoteProcessor());
    await expect(finishRefund(body.refund_id)).rejects.toThrow('does not know');
    expect((await payments().getRefund(body.refund_id)).status).toBe('pending');
  });
});
