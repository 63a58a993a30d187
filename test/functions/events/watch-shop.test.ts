import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { keys } from '../../../shared/store/keys.ts';
import { now, payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { sweep } from '../../support/shop/settle.ts';
import { sell } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
  clock.stopAt('2031-03-10T10:00:00Z');
});
/** Each test is months after the one before, so that it sees nothing of it. */
afterEach(() => {
  const today = now().toISOString().slice(0, 10);
  clock.stopAt(`${today}T10:00:00Z`);
  clock.forward({ days: 90 });
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

type Measured = Partial<Record<'SalesStopped' | 'KeysEnding' | 'PaymentsOutOfBalance', number>>;

/** What one call of the worker measures, and the lines that it logs. */
async function watch(): Promise<{ measured: Measured; lines: Record<string, unknown>[] }> {
  const from = api.log.length;
  await invokeFunction('accounting/watch-shop', {});
  const lines = api.log.slice(from).map((line) => JSON.parse(line));
  const measured = lines.filter((line) => '_aws' in line);
  for (const line of measured) expect(line).toMatchObject({ merchant: 'demo', stage: 'sandbox' });
  return { measured: Object.assign({}, ...measured), lines: lines.filter((line) => !('_aws' in line)) };
}

/** Makes this number of sales in the same hour of each day. Afterwards the clock is at the end of the last such hour. */
async function sellDaily({ days = 7, sales = 5 }): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    for (let sale = 0; sale < sales; sale += 1) await sell(api);
    clock.forward(day < days - 1 ? { days: 1 } : { hours: 1 });
  }
}

describe('a stop of sales', () => {
  it('is reported after an hour without sales, if each of the last seven days had five sales', async () => {
    await sellDaily({});
    expect((await watch()).measured.SalesStopped).toBeUndefined();
    clock.forward({ hours: 23 });
    expect((await watch()).measured.SalesStopped).toBeUndefined();
    clock.forward({ hours: 1 });
    expect((await watch()).measured.SalesStopped).toBe(1);
  });

  it('is reported on the following days too, until there were no sales for a week', async () => {
    await sellDaily({});
    clock.forward({ days: 3 });
    expect((await watch()).measured.SalesStopped).toBe(1);
    clock.forward({ days: 4 });
    expect((await watch()).measured.SalesStopped).toBeUndefined();
  });

  it.each([
    { title: 'four sales a day', days: 7, sales: 4 },
    { title: 'six days', days: 6, sales: 5 },
    { title: 'no sale at all', days: 0, sales: 0 },
  ])('is not reported because of $title', async ({ days, sales }) => {
    await sellDaily({ days, sales });
    clock.forward({ days: 1 });
    expect((await watch()).measured.SalesStopped).toBeUndefined();
  });

  it('is not reported for a shop that has just sold a product', async () => {
    await sellDaily({});
    clock.forward({ hours: 23, minutes: 30 });
    await sell(api);
    clock.forward({ minutes: 30 });
    expect((await watch()).measured.SalesStopped).toBeUndefined();
  });
});

describe('keys that expire soon', () => {
  it('are counted in their last seven days, but not after they have expired or were revoked', async () => {
    const inDays = (days: number) => new Date(now().getTime() + days * 86_400_000).toISOString();
    await api.addKey({ expiresAt: inDays(6.9) });
    await api.addKey({ expiresAt: inDays(7.1) });
    await api.addKey({ createdAt: inDays(-1), expiresAt: inDays(1) }); // made for two days, so its end is no surprise
    await api.addKey({ expiresAt: inDays(1), revokedAt: inDays(-1) });
    await api.addKey({ expiresAt: inDays(-1) });
    await api.addKey({ expiresAt: null });
    expect((await watch()).measured.KeysEnding).toBe(1);
  });
});

describe('payments that do not balance', () => {
  /** Changes a row as an operator could by hand. */
  const tamper = (key: { pk: string; sk: string }, expression: string, values: object = {}) =>
    table().client.send(
      new UpdateCommand({
        TableName: table().name,
        Key: key,
        UpdateExpression: expression,
        ExpressionAttributeNames: { '#data': 'data' },
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      }),
    );

  it('are not found after correct sales, refunds and a dispute', async () => {
    await sell(api, { card: cards.disputeLost });
    clock.forward({ milliseconds: 6_000 });
    await sweep();
    const { paymentId } = await sell(api);
    await api.call('POST /refunds', { body: { payment_id: paymentId } });
    clock.forward({ hours: 1 });
    expect((await watch()).measured.PaymentsOutOfBalance).toBeUndefined();
  });

  it('are found an hour, a day, a week and a month after the sale, and logged without personal data', async () => {
    const { paymentId } = await sell(api);
    const { paymentId: sound } = await sell(api);
    await api.call('POST /refunds', { body: { payment_id: paymentId } });
    const { id } = await refundOf(paymentId);
    await tamper(keys.refund(id), 'SET #data.amount = :amount', { ':amount': 1 });
    for (const passed of [{ hours: 1 }, { hours: 23 }, { days: 6 }, { days: 23 }]) {
      clock.forward(passed);
      const { measured, lines } = await watch();
      expect(measured.PaymentsOutOfBalance).toBe(1);
      expect(lines).toEqual([
        {
          level: 'error',
          message: 'the amounts of a payment do not balance',
          payment_id: paymentId,
          faults: expect.arrayContaining([expect.stringContaining('its refunds do not add up to refunded')]),
        },
      ]);
      expect(JSON.stringify(lines)).not.toContain(sound);
    }
  });

  it('include payments with a row that cannot be read', async () => {
    const { paymentId } = await sell(api);
    await api.call('POST /refunds', { body: { payment_id: paymentId } });
    const { id } = await refundOf(paymentId);
    await tamper(keys.refund(id), 'REMOVE #data');
    clock.forward({ hours: 1 });
    expect((await watch()).measured.PaymentsOutOfBalance).toBe(1);
  });

  it('include payments whose refund is missing', async () => {
    const { paymentId } = await sell(api);
    await api.call('POST /refunds', { body: { payment_id: paymentId } });
    const { id } = await refundOf(paymentId);
    await table().client.send(new DeleteCommand({ TableName: table().name, Key: keys.refund(id) }));
    clock.forward({ hours: 1 });
    expect((await watch()).measured.PaymentsOutOfBalance).toBe(1);
  });

  const refundOf = async (paymentId: string) => {
    const [refund] = (await payments().get(paymentId)).refunds;
    if (!refund) throw new Error(`${paymentId} has no refund.`);
    return refund;
  };
});
