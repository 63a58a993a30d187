import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { samplePayment } from '../../shared/domain/webhooks/sample-payment.ts';
import { keys } from '../../shared/store/keys.ts';
import { dataIn, pack, packBoth, unpacked } from '../../shared/store/table/packed.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';
import { changeData } from '../support/table/change-data.ts';

const now = '2027-03-04T09:11:22.123Z';

let api: Api;
let runtime: typeof import('../../shared/wiring/runtime.ts');
beforeAll(async () => {
  api = await startApiThroughSdk();
  runtime = await import('../../shared/wiring/runtime.ts');
});
afterAll(() => api.stop());

/** A payment of a buyer who fills in everything, at a processor with long references. */
const rich = (): Payment => ({
  ...samplePayment('succeeded', now),
  id: runtime.world.newId('pay'),
  customer: {
    id: runtime.world.newId('cus'),
    email: 'johanna.svensson@postkontoret.se',
    name: 'Johanna Svensson',
    phone: null,
  },
  billing: { country: 'SE', state: null, city: 'Göteborg', street: 'Kungsportsavenyn 18 B', zipcode: '411 36' },
  language: 'sv',
  metadata: { order: 'A-10293', campaign: 'spring' },
  processor: 'stripe',
  reference: 'cs_live_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6',
  transaction: 'pi_3OqRstUvWxYz0123AbCdEfGh',
  fee: { amount: 203, currency: 'SEK' },
});

const kept = async (payment: Payment) => {
  await runtime.payments().save(payment);
  return { ...payment, version: 1 };
};

const rowOf = async (id: string) => {
  const { client, name: TableName } = runtime.table();
  const { Item = {} } = await client.send(new GetCommand({ TableName, Key: keys.payment(id) }));
  return { Item, TableName, client };
};

describe('a payment', () => {
  it('costs one write unit, and one in each index, even if its buyer fills in every field', async () => {
    const { id } = await kept(rich());
    const { Item, TableName, client } = await rowOf(id);
    const put = new PutCommand({ TableName, Item: { ...Item, pk: 'A#copy' }, ReturnConsumedCapacity: 'INDEXES' });
    const { ConsumedCapacity: used } = await client.send(put);
    const indexes = Object.entries(used?.GlobalSecondaryIndexes ?? {}).map(([name, units]) => [
      name,
      units.CapacityUnits,
    ]);
    expect([used?.Table?.CapacityUnits, Object.fromEntries(indexes)]).toEqual([1, { list: 1, customer: 1 }]);
  });

  it('is read exactly as it was written, alone and in lists, compressed or in the form of earlier versions', async () => {
    const saved = JSON.parse(JSON.stringify(await kept(rich())));
    const page = { size: 1, skip: 0, after: undefined };
    const readAll = async () => [
      await runtime.payments().get(saved.id),
      (await runtime.paymentLists().list({ customerId: saved.customer.id }, page)).items,
    ];
    const [whole, items] = await readAll();
    expect(whole).toEqual(saved);
    expect(items).toMatchObject([{ id: saved.id, customer: saved.customer, metadata: saved.metadata }]);
    await changeData(runtime.table(), keys.payment(saved.id), (data) => data);
    expect(await readAll()).toEqual([whole, items]);
    const { Item, TableName, client } = await rowOf(saved.id);
    await client.send(new PutCommand({ TableName, Item: { ...Item, row: unpacked(Item['row']) } }));
    expect(await readAll()).toEqual([whole, items]);
  });
});

describe('compressed data', () => {
  it('is unpacked without any change, for any data', () => {
    for (const data of [
      {},
      { text: 'ü€😀 "\\ \n' },
      { deep: [{ list: [1, null, false] }] },
      { long: 'x'.repeat(9_000) },
    ]) {
      expect(unpacked(pack(data))).toEqual(data);
      const both = packBoth({ data, row: { data } });
      expect([dataIn(both), unpacked(both.row)]).toEqual([data, { data }]);
    }
  });

  it('is refused together with the list view of another row, because the amounts would be wrong', () => {
    const { data } = packBoth({ data: { gross: 100 }, row: { gross: 100 } });
    const { row } = packBoth({ data: {}, row: { gross: 999 } });
    expect(() => dataIn({ data, row })).toThrow();
  });

  it('stays readable: these bytes come from the first release that compressed data', () => {
    const bytes = Buffer.from('AXi7XHexN6tGFKGGuEpoaJgZWlpaYtYjAKqOFJI=', 'base64');
    expect(unpacked(bytes)).toEqual({ id: 'pay_1', status: 'succeeded', gross: 1_999, currency: 'EUR' });
  });
});
