import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { keys } from '../../../shared/store/keys.ts';
import { disputes, payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { hearBank, loseDispute } from '../../support/shop/settle.ts';
import { sell } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';

describeWith020('A lost dispute whose ground is chosen, while version 0.2.0 runs beside this one', () => {
  let api: Api;
  let before: Release;
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
  });
  beforeEach(() => clock.stopAt('2031-03-01T12:00:00.000Z'));
  afterAll(async () => {
    clock.run();
    await api.stop();
  });
  useShortPauses(200);

  /** A dispute that the bank has decided, stored as 0.2.0 stores it: without the day of the loss. */
  async function lostBefore(): Promise<{ paymentId: string; disputeId: string }> {
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId);
    const { client, name } = table();
    const names = { ExpressionAttributeNames: { '#data': 'data' } };
    const Key = keys.dispute(disputeId);
    await client.send(new UpdateCommand({ TableName: name, Key, UpdateExpression: 'REMOVE #data.lostAt', ...names }));
    return { paymentId, disputeId };
  }
  const choose = async (disputeId: string, ground: string) =>
    expect((await api.call(`POST /disputes/${disputeId}/adjustments`, { body: { ground } })).status).toBe(200);
  const faults = async () => moneyContradictions(await scanRows(table().client, table().name));

  it('is shown by 0.2.0, whose lists of events cannot show its event, which waits for this version', async () => {
    const { paymentId, disputeId } = await lostBefore();
    await choose(disputeId, 'rescinded');
    const [adjustment] = (await disputes().get(disputeId)).adjustments ?? [];
    for (const path of [`/disputes/${disputeId}`, '/disputes', `/payments/${paymentId}`, '/payments'])
      expect([path, (await before.call(`GET ${path}`)).status]).toEqual([path, 200]);
    const query = `payment_id=${paymentId}`;
    expect((await before.call('GET /webhook-events', { query })).status).toBe(500);
    clock.forward({ minutes: 10 });
    await before.invoke('events/sweep-due', {}).catch(() => undefined); // no bus takes what it can read
    const event = (await scanRows(table().client, table().name)).find(({ type }) => type === 'dispute.adjusted');
    expect(event?.['dueSk']).toBeDefined();
    const { items } = (await api.call('GET /webhook-events', { query })).body;
    expect(items.map(({ type }: { type: string }) => type)).toContain('dispute.adjusted');
    const note = `format=json&adjustment=${adjustment?.id}`;
    expect((await api.call(`GET /invoices/payments/${paymentId}`, { query: note })).body.kind).toBe(
      'dispute_credit_note',
    );
    expect((await before.call(`GET /invoices/payments/${paymentId}`, { query: 'format=json' })).status).toBe(200);
    expect(await faults()).toEqual([]);
  });

  it('is not written by 0.2.0, which would drop its adjustments, and this version hears of the bank', async () => {
    const { paymentId, disputeId } = await lostBefore();
    await choose(disputeId, 'uncollectible');
    const kept = await disputes().get(disputeId);
    const { disputes: older } =
      await before.load<typeof import('../../../shared/wiring/runtime.ts')>('shared/runtime.ts');
    const readBy020 = await older().get(disputeId);
    const payment = await payments().get(paymentId);
    await expect(older().save({ payment, dispute: { ...readBy020, status: 'won' }, events: [] })).rejects.toThrow();
    expect(await disputes().get(disputeId)).toEqual(kept);
    await hearBank(paymentId, { status: 'won', withdrawn: 0, isRefundable: true });
    expect((await disputes().get(disputeId)).adjustments?.map(({ kind }) => kind)).toEqual(['lost', 'won']);
    expect(await faults()).toEqual([]);
  });

  it('keeps the day of the loss, which a later report of the bank does not move', async () => {
    const { paymentId, disputeId } = await lostBefore();
    clock.forward({ minutes: 60 * 24 * 40 });
    await choose(disputeId, 'uncollectible');
    await loseDispute(paymentId, { reason: 'general' });
    const { lostAt, adjustments } = await disputes().get(disputeId);
    const day = '2031-03-01T12:00:00.000Z';
    expect([lostAt, adjustments?.map(({ at }) => at)]).toEqual([day, [day]]);
  });
});
