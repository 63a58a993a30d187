import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { paymentRow } from '../../shared/domain/payments/payment-row.ts';
import { RefundRow } from '../../shared/domain/payments/refund.ts';
import { samplePayment } from '../../shared/domain/webhooks/sample-payment.ts';
import { noticeTypes } from '../../shared/events/notices.ts';
import { productStore } from '../../shared/store/catalogue/product-store.ts';
import { noticeWrite } from '../../shared/store/events/notice-row.ts';
import type { RowKey } from '../../shared/store/keys.ts';
import { paymentListStore } from '../../shared/store/payments/payment-list.ts';
import { paymentStore } from '../../shared/store/payments/payment-store.ts';
import { findItems } from '../../shared/store/table/read-many.ts';
import type { Table } from '../../shared/store/table/table.ts';
import { tableSchema } from '../../shared/store/table/table-schema.ts';
import type { Item } from '../../shared/store/table/write.ts';
import { deliveryItem } from '../../shared/store/webhooks/delivery-row.ts';
import { presentProductItem, productTerms } from '../../shared/wire/catalogue/product.ts';
import { sentBytes } from '../../shared/wire/page.ts';
import { presentPayment, presentPaymentItem } from '../../shared/wire/payments/payment.ts';
import { paymentTerms } from '../../shared/wire/payments/payment-list.ts';
import { presentRefundItem } from '../../shared/wire/payments/refund.ts';
import { deliveryTerms, presentDelivery } from '../../shared/wire/webhooks/recorded-event.ts';
import { aSession } from '../support/shop/sessions.ts';
import { useShortPauses } from '../support/short-pauses.ts';
import { extremeDelivery, extremePayment, extremeProduct, extremeRefund } from '../support/wire/extreme.ts';

/** What DynamoDB counts of a value; https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 2;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return 3 + value.reduce((sum: number, one) => sum + 1 + sizeOf(one), 0);
  if (typeof value !== 'object' || value === null) return 1;
  return 3 + attributesSize(value);
}

const attributesSize = (value: object): number =>
  Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .reduce((sum, [name, one]) => sum + 1 + Buffer.byteLength(name) + sizeOf(one), 0);

/** What an index takes of a row: its own keys, the table's, and what is projected. */
function indexSizes(row: Item): number[] {
  return Object.values(tableSchema.indexes)
    .filter(({ partitionKey }) => row[partitionKey] !== undefined)
    .map(({ partitionKey, sortKey, projected }) => {
      const names = ['pk', 'sk', partitionKey, sortKey, ...projected];
      return attributesSize(Object.fromEntries(names.map((name) => [name, row[name]])));
    });
}

interface Request {
  input: {
    TransactItems?: { Put: { Item: Item } }[];
    Item?: Item;
    ExpressionAttributeValues?: Record<string, string>;
    RequestItems?: Record<string, { Keys: RowKey[] }>;
  };
  constructor: { name: string };
}

const nameOf = ({ pk, sk }: RowKey | Item): string => `${pk} ${sk}`;

/** A table that keeps what is written, lists what has a list view, and counts what is read. */
function keepingTable() {
  const rows = new Map<string, Item>();
  const reads: string[] = [];
  const answers: Record<string, (input: Request['input']) => object> = {
    TransactWriteCommand: ({ TransactItems = [] }) => {
      for (const { Put } of TransactItems) rows.set(nameOf(Put.Item), structuredClone(Put.Item));
      return {};
    },
    PutCommand: ({ Item = {} }) => {
      rows.set(nameOf(Item), structuredClone(Item));
      return {};
    },
    QueryCommand: ({ ExpressionAttributeValues: values = {} }) => ({
      Items: [...rows.values()].filter(({ listPk }) => listPk === values[':partition']),
    }),
    BatchGetCommand: ({ RequestItems = {} }) => ({
      Responses: { kept: (RequestItems['kept']?.Keys ?? []).map((key) => rows.get(nameOf(key))).filter(Boolean) },
    }),
  };
  const send = async ({ constructor: { name }, input }: Request) => {
    reads.push(name);
    return answers[name]?.(input);
  };
  const table = { name: 'kept', client: { send } } as unknown as Table;
  return { table, reads, rows: () => [...rows.values()], answers };
}

const storeOf = (table: Table) => ({ ...paymentStore(table, () => '{}'), ...paymentListStore(table) });
const page = { size: 100, skip: 0, after: undefined };
const oneUnit = 1_024;
const site = { businessId: 'm'.repeat(40), publicUrl: `https://${'x'.repeat(60)}.example.com` };
const runs = { numRuns: 60 };

describe('a list row, which fits one write unit of its index and is read unchanged with any content,', () => {
  it('exists for a payment', () =>
    fc.assert(
      fc.asyncProperty(extremePayment, async (payment) => {
        const { table, rows } = keepingTable();
        const store = storeOf(table);
        const event = { id: 'evt_1', occurredAt: payment.createdAt, paymentId: payment.id, sequence: 1 };
        await store.saveCharge({
          session: aSession([{ unitAmount: 1 }]),
          payment,
          event: { ...event, type: 'payment.processing', data: { payment } } as never,
        });
        for (const row of rows()) expect(Math.max(0, ...indexSizes(row))).toBeLessThanOrEqual(oneUnit);
        const { items } = await store.list({}, page);
        expect(items).toEqual([paymentRow(payment)]);
        expect((await store.listBriefly({}, page)).items).toMatchObject([{ id: payment.id, status: payment.status }]);
      }),
      runs,
    ));

  it('exists for a refund', () =>
    fc.assert(
      fc.asyncProperty(extremeRefund, async (refund) => {
        const { table, rows } = keepingTable();
        const store = storeOf(table);
        const payment = samplePayment('succeeded', refund.createdAt);
        await store.saveRefund({ payment, refund, isNew: true, events: [], records: [] });
        for (const row of rows()) expect(Math.max(0, ...indexSizes(row))).toBeLessThanOrEqual(oneUnit);
        expect((await store.listRefunds({}, page)).items).toEqual([RefundRow.parse(refund)]);
      }),
      runs,
    ));

  it('exists for a product', () =>
    fc.assert(
      fc.asyncProperty(extremeProduct, async (product) => {
        const { table, rows } = keepingTable();
        const store = productStore(table);
        await store.save(product, []);
        for (const row of rows()) expect(Math.max(0, ...indexSizes(row))).toBeLessThanOrEqual(oneUnit);
        const { items } = await store.list({ archived: product.archived }, page);
        expect(items.map((item) => ({ ...item, version: 0 }))).toEqual([product]);
      }),
      runs,
    ));

  it('exists for a delivery and a notice', () => {
    fc.assert(
      fc.property(extremeDelivery, (delivery) => {
        expect(Math.max(...indexSizes(deliveryItem(delivery)))).toBeLessThanOrEqual(oneUnit);
      }),
    );
    for (const type of noticeTypes) {
      const notice = { id: 'evt_'.padEnd(25, 'x'), type, occurredAt: '2026-01-01T00:00:00.000Z', data: {} };
      expect(Math.max(...indexSizes(noticeWrite(notice as never).put))).toBeLessThanOrEqual(oneUnit);
    }
  });
});

describe('a list', () => {
  const usual: Payment = { ...samplePayment('succeeded', '2026-01-01T00:00:00.000Z'), metadata: { order: 'A-7' } };
  const long: Payment = { ...usual, id: 'pay_2', metadata: { note: 'x'.repeat(500), more: 'y'.repeat(500) } };
  const chargeOf = (payment: Payment) => ({
    session: { ...aSession([{ unitAmount: 1 }]), id: `cks_${payment.id}` },
    payment,
    event: {
      id: `evt_${payment.id}`,
      type: 'payment.succeeded',
      occurredAt: payment.createdAt,
      paymentId: payment.id,
      sequence: 1,
    } as never,
  });

  it('of usual objects reads index rows only, and full rows of shortened objects in one call', async () => {
    const { table, reads } = keepingTable();
    const store = storeOf(table);
    await store.saveCharge(chargeOf(usual));
    reads.length = 0;
    await store.list({}, page);
    expect(reads).toEqual(['QueryCommand']);
    for (const id of ['pay_2', 'pay_3', 'pay_4']) await store.saveCharge(chargeOf({ ...long, id }));
    reads.length = 0;
    const { items } = await store.list({}, page);
    expect(items.map(({ metadata }) => Object.keys(metadata).length).sort()).toEqual([1, 2, 2, 2]);
    expect(reads).toEqual(['QueryCommand', 'BatchGetCommand']);
  });

  it('leaves out a row whose object was deleted', async () => {
    const { table, answers } = keepingTable();
    const store = storeOf(table);
    await store.saveCharge(chargeOf(long));
    await store.saveCharge(chargeOf(usual));
    answers['BatchGetCommand'] = () => ({ Responses: {} });
    const found = await store.list({}, page);
    expect([found.items.map(({ id }) => id), found.sortKeys?.length]).toEqual([[usual.id], 1]);
  });
});

/** A table that leaves rows out of an answer as `limit` says, as DynamoDB does above 16 MB or under load. */
function reluctantTable(limit: (call: number) => number) {
  const calls: number[] = [];
  const send = async ({ input }: { input: { RequestItems: Record<string, { Keys: Item[] }> } }) => {
    const keys = input.RequestItems['t']?.Keys ?? [];
    const most = limit(calls.push(keys.length));
    const left = keys.slice(most);
    return {
      Responses: { t: keys.slice(0, most).map((key) => ({ ...key, data: { of: key['pk'] } })) },
      ...(left.length > 0 && { UnprocessedKeys: { t: { Keys: left } } }),
    };
  };
  return { table: { name: 't', client: { send } } as unknown as Table, calls };
}

describe('many rows by their keys', () => {
  useShortPauses();

  const keys = Array.from({ length: 250 }, (_, index) => ({ pk: `P#${index}`, sk: 'P' }));

  it('are read in calls of a hundred, each row once', async () => {
    const { table, calls } = reluctantTable(() => 100);
    const found = await findItems(table, [...keys, ...keys]);
    expect(keys.map((key) => found(key)?.['data'])).toEqual(keys.map(({ pk }) => ({ of: pk })));
    expect(calls).toEqual([100, 100, 50]);
  });

  it('are not requested when the list is empty', async () => {
    const { table, calls } = reluctantTable(() => 100);
    await findItems(table, []);
    expect(calls).toEqual([]);
  });

  it('that DynamoDB leaves out are requested again', async () => {
    const { table, calls } = reluctantTable((call) => (call === 2 ? 0 : 40));
    const found = await findItems(table, keys.slice(0, 100));
    expect(keys.slice(0, 100).every((key) => found(key))).toBe(true);
    expect(calls).toEqual([100, 60, 60, 20]);
  });

  it('that DynamoDB leaves out six times cause a 503', async () => {
    const { table, calls } = reluctantTable(() => 0);
    const dice = vi.spyOn(Math, 'random');
    await expect(findItems(table, keys.slice(0, 3))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(calls).toHaveLength(6);
    expect(dice).toHaveBeenCalledTimes(5); // a pause between two tries, and none before the refusal
    dice.mockRestore();
  });
});

describe('the assumed size limit of a list item', () => {
  it('holds for payments, products, refunds and deliveries', () => {
    const check = <T>(objects: fc.Arbitrary<T>, present: (one: T) => unknown, most: number) => {
      const isWithin = (one: T) => sentBytes(present(one)) <= most;
      fc.assert(fc.property(objects, isWithin), { numRuns: 200 });
    };
    check(
      extremePayment,
      (one) => presentPaymentItem(site, { showsSession: true })(paymentRow(one)),
      paymentTerms.mostItemBytes ?? 0,
    );
    check(extremeProduct, presentProductItem(site), productTerms.mostItemBytes ?? 0);
    check(extremeRefund, presentRefundItem(site), 45_000);
    check(extremeDelivery, presentDelivery, deliveryTerms.mostItemBytes ?? 0);
  });

  it('holds for a payment with as many refunds as its row can hold, which fits into one answer', () => {
    const refund = {
      id: 'ref_'.padEnd(25, 'x'),
      status: 'succeeded' as const,
      amount: 1,
      isPartial: true,
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const reason = '"'.repeat(100);
    const payment = { ...samplePayment('succeeded', '2026-01-01T00:00:00.000Z') };
    const many = { ...payment, refunds: Array.from({ length: 1_500 }, () => ({ ...refund, reason })) };
    expect(sentBytes(presentPayment(site)(many))).toBeLessThan(4_500_000);
  });
});
