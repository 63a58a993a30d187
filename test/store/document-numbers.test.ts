import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostAtOnce } from '../../shared/domain/documents/document-series.ts';
import { createInvoice } from '../../shared/domain/documents/invoice.ts';
import { type DocumentStore, documentStore } from '../../shared/store/documents/document-store.ts';
import { keys } from '../../shared/store/keys.ts';
import { pack } from '../../shared/store/table/packed.ts';
import type { Table } from '../../shared/store/table/table.ts';
import { aStamp, issueContext, sale } from '../documents/builders.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';
import { changeData, dataOf } from '../support/table/change-data.ts';

let api: Api;
let table: Table;
let documents: DocumentStore;
beforeAll(async () => {
  api = await startApiThroughSdk();
  table = (await import('../../shared/wiring/runtime.ts')).table();
  documents = documentStore(table);
  await fillSeries();
});
afterAll(() => api.stop());

const base = sale([{ unitAmount: 1_999 }]);
const idOf = (serial: number) => `pay_${String(serial).padStart(21, '0')}`;
const invoice = (serial: number) =>
  createInvoice({ ...base, id: idOf(serial) }, issueContext, aStamp('INV', serial, '2026-06-01'));

/** Issues the next numbers of 2026 in one transaction. */
async function issue(count: number): Promise<void> {
  const series = await documents.nextOfSeries('INV', '2026');
  const serials = Array.from({ length: count }, (_, index) => series.last + index + 1);
  await documents.issue({ ...series, last: series.last + count }, serials.map(invoice), { isMailed: false });
}

/** Fifty numbers: one in a row of its own as earlier versions wrote it, then those of four transactions. */
async function fillSeries(): Promise<void> {
  const series = await documents.nextOfSeries('INV', '2026');
  const single = { ...keys.documentNumber('INV', '2026', 1), entity: 'NUMBER', serial: 1, subjectId: idOf(1) };
  const issuedAt = '2026-01-01T00:00:00.000Z';
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...single, issuedAt } }));
  await documents.issue({ ...series, last: 1 }, [], { isMailed: false });
  for (const count of [10, 1, mostAtOnce, 5]) await issue(count);
}

const serialsAfter = async (after: number, most?: number) => {
  const { rows, hasMore } = await documents.numbers('INV', '2026', after, most);
  return { serials: rows.map(({ serial }) => serial), ids: rows.map(({ subjectId }) => subjectId), hasMore };
};

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the numbers in a series of documents', () => {
  it('are read as one list, in the present and in the earlier form of rows', async () => {
    expect(await serialsAfter(0)).toEqual({ serials: range(1, 50), ids: range(1, 50).map(idOf), hasMore: false });
    const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
    expect(Items.filter(({ entity }) => entity === 'NUMBER')).toHaveLength(5);
  });

  it('are read page by page, starting at any number', async () => {
    for (const after of range(0, 50)) {
      const to = Math.min(50, after + 7);
      expect(await serialsAfter(after, 7)).toEqual({
        serials: range(after + 1, to),
        ids: range(after + 1, to).map(idOf),
        hasMore: to < 50,
      });
    }
  });

  it('cost one write unit even for the largest transaction', async () => {
    const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
    const longest = Items.find((row) => row['subjectIds']?.length === mostAtOnce);
    const { Item, ...others } = { Item: longest, TableName: table.name, ReturnConsumedCapacity: 'TOTAL' as const };
    const { ConsumedCapacity } = await table.client.send(new PutCommand({ Item, ...others }));
    expect(ConsumedCapacity?.CapacityUnits).toBe(1);
  });

  it.each([undefined, 11, 49])('are not assigned twice when the counter was set back to %j', async (last) => {
    const counter = keys.series('INV', '2026');
    const before = await dataOf(table, counter);
    if (last === undefined) await table.client.send(new DeleteCommand({ TableName: table.name, Key: counter }));
    else await changeData(table, counter, (series) => ({ ...series, last }));
    await expect(documents.nextOfSeries('INV', '2026')).rejects.toThrow(/INV-2026 50 was taken before its counter/);
    const Item = { ...counter, entity: 'SERIES', version: before.version, data: before };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    expect(await documents.nextOfSeries('INV', '2026')).toEqual(before);
  });
});

describe('a document', () => {
  it('is read exactly as it was issued, also in the stored form of earlier versions', async () => {
    const issued = JSON.parse(JSON.stringify(invoice(3)));
    expect((await documents.find(idOf(3))).document).toEqual(issued);
    await changeData(table, keys.document(idOf(3)), (data) => data);
    expect((await documents.find(idOf(3))).document).toEqual(issued);
  });

  it('that a later release wrote, or that is damaged, is refused instead of misread', async () => {
    const readChanged = async (serial: number, change: (packed: Uint8Array) => void) => {
      const packed = pack(invoice(serial));
      change(packed);
      await changeData(table, keys.document(idOf(serial)), () => packed);
      return documents.find(idOf(serial));
    };
    await expect(readChanged(4, (packed) => packed.fill(2, 0, 1))).rejects.toThrow('later version');
    await expect(readChanged(5, (packed) => packed.fill(0, packed.length - 1))).rejects.toThrow('incorrect data check');
  });
});
