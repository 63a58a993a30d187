import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RowKey } from '../../shared/store/keys.ts';
import { findItem, readRowsAhead } from '../../shared/store/table/read.ts';
import { findItems as findRows } from '../../shared/store/table/read-many.ts';
import type { Table } from '../../shared/store/table/table.ts';
import { commit } from '../../shared/store/table/transaction.ts';
import { table as openedTable } from '../../shared/wiring/runtime.ts';
import { type Faults, injectFaults } from '../support/faults/faults-by-plan.ts';
import { campaign, seeded, times } from '../support/seeded.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';
import { type Command, type Send, sendThrough } from '../support/table/send-through.ts';

let api: Api;
let table: Table;
let faults: Faults | undefined;
beforeAll(async () => {
  api = await startApiThroughSdk();
  table = openedTable();
});
afterEach(() => faults?.heal());
afterAll(() => api.stop());

/** The rows in the order of the keys. */
async function findItems(from: Table, keys: readonly RowKey[]) {
  const rows = await findRows(from, keys);
  return keys.map((key) => rows(key));
}

let serial = 0;
const newKey = (): RowKey => {
  serial += 1;
  return { pk: `ROW#${serial}`, sk: 'ROW' };
};

const put = (key: RowKey, text: string): Promise<unknown> =>
  table.client.send(new PutCommand({ TableName: table.name, Item: { ...key, text } }));

async function rowsOf(count: number): Promise<RowKey[]> {
  const keys = times(count).map(newKey);
  await Promise.all(keys.map((key, index) => put(key, `row ${index}`)));
  return keys;
}

const textsOf = (rows: readonly (Record<string, unknown> | undefined)[]) => rows.map((row) => row?.['text']);

/** What was asked for in one call. */
const keysOf = ({ input }: Command): RowKey[] =>
  (input['RequestItems'] as Record<string, { Keys: RowKey[] }>)[table.name]?.Keys ?? [];

/** Every read of several rows while something runs. */
async function readsOf(act: () => Promise<unknown>, answer?: (send: Send) => Send): Promise<Command[]> {
  const reads: Command[] = [];
  const restore = sendThrough(table.client, (send) => (command) => {
    if (command.constructor.name === 'BatchGetCommand') reads.push(command);
    return (answer ? answer(send) : send)(command);
  });
  await act().finally(restore);
  return reads;
}

describe('rows by their keys', () => {
  it('come in the order of the keys, and those that are not there as undefined', async () => {
    const [one, other] = (await rowsOf(2)) as [RowKey, RowKey];
    const found = await findItems(table, [other, newKey(), one]);
    expect(textsOf(found)).toEqual(['row 1', undefined, 'row 0']);
  });

  it('are read as they are now, never as they were a while ago', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    const [read] = await readsOf(() => findItem(table, key));
    expect(read?.input['RequestItems']).toEqual({ [table.name]: { Keys: [key], ConsistentRead: true } });
  });

  it('are asked for once each: the table refuses a call that names one twice', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    let found: unknown[] = [];
    const reads = await readsOf(async () => {
      found = textsOf(await findItems(table, [key, { ...key }, key]));
    });
    expect(found).toEqual(['row 0', 'row 0', 'row 0']);
    expect(reads.map((read) => keysOf(read).length)).toEqual([1]);
  });

  it('are asked for a hundred at a time: the table refuses more', async () => {
    const keys = await rowsOf(230);
    let found: unknown[] = [];
    const reads = await readsOf(async () => {
      found = textsOf(await findItems(table, keys));
    });
    expect(found).toEqual(times(230).map((index) => `row ${index}`));
    expect(reads.map((read) => keysOf(read).length)).toEqual([100, 100, 30]);
  });

  it.each([
    { of: 'an empty partition key', key: { pk: '', sk: 'ROW' } },
    { of: 'a partition key of 2,049 bytes', key: { pk: `${'ä'.repeat(1_024)}a`, sk: 'ROW' } },
    { of: 'a sort key of 1,025 bytes', key: { pk: 'ROW', sk: 'a'.repeat(1_025) } },
  ])('with $of are not there, and take no other row down with them', async ({ key }) => {
    const [good] = (await rowsOf(1)) as [RowKey];
    expect(textsOf(await findItems(table, [key, good]))).toEqual([undefined, 'row 0']);
    await expect(findItem(table, key)).resolves.toBeUndefined();
  });
});

describe('rows that the table leaves aside', () => {
  it('are asked for again, and never taken for absent, whichever they are', async () => {
    const random = seeded(13);
    const keys = await rowsOf(12);
    faults = injectFaults(
      ({ operation }) => (operation === 'BatchGetItem' ? { leaves: () => random() < 0.3 } : undefined),
      table.client,
    );
    const runs = campaign(500, 30);
    for (const _ of times(runs))
      expect(textsOf(await findItems(table, keys))).toEqual(times(12).map((index) => `row ${index}`));
    console.log(`${runs} reads of 12 rows took ${faults.calls.length} calls`);
    expect(faults.calls.length).toBeGreaterThan(2 * runs);
  });

  it('again and again are a 503 within three seconds, and no 404', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    faults = injectFaults(() => ({ leaves: () => true }), table.client);
    const startedAt = performance.now();
    await expect(findItem(table, key)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(faults.calls).toHaveLength(6);
  });

  it('altogether, because there is too much to do, are a 503 as well', async () => {
    const busy = new ProvisionedThroughputExceededException({ message: 'on purpose', $metadata: {} });
    const reading = readsOf(
      () => findItem(table, newKey()),
      () => () => Promise.reject(busy),
    );
    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('rows that are read ahead', () => {
  it('are asked for in one call, and need no other', async () => {
    const [one, other] = (await rowsOf(2)) as [RowKey, RowKey];
    const reads = await readsOf(() =>
      readRowsAhead(table, [one, other, newKey()], async () => {
        expect(textsOf([await findItem(table, other), await findItem(table, one)])).toEqual(['row 1', 'row 0']);
      }),
    );
    expect(reads).toHaveLength(1);
  });

  it('are handed out once: who looks again sees what has become of a row', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    await readRowsAhead(table, [key], async () => {
      expect((await findItem(table, key))?.['text']).toBe('row 0');
      await put(key, 'changed by another');
      expect((await findItem(table, key))?.['text']).toBe('changed by another');
    });
  });

  it('are forgotten when something is committed: a request sees what it has written', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    await readRowsAhead(table, [key], async () => {
      await vi.waitUntil(async () => (await findItems(table, [key]))[0]);
      await commit(table, [{ put: { ...key, text: 'mine' }, refusal: () => new Error('refused') }]);
      expect((await findItem(table, key))?.['text']).toBe('mine');
    });
  });

  it('belong to their own request: others that run at the same time see nothing of them', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    const seen: unknown[] = [];
    let next: () => void = () => {};
    const isChanged = new Promise<void>((resolve) => {
      next = resolve;
    });
    const early = readRowsAhead(table, [key], async () => {
      await isChanged;
      seen.push((await findItem(table, key))?.['text']);
    });
    await vi.waitUntil(async () => (await findItems(table, [key]))[0]);
    await put(key, 'changed');
    await readRowsAhead(table, [key], async () => seen.push((await findItem(table, key))?.['text']));
    seen.push((await findItem(table, key))?.['text']);
    next();
    await early;
    expect(seen).toEqual(['changed', 'changed', 'row 0']);
  });

  it('that cannot be had are told to who takes one, and to nobody else', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    faults = injectFaults(() => 'never_sent', table.client);
    const taking = readRowsAhead(table, [newKey()], async () => findItem(table, { pk: `ROW#${serial}`, sk: 'ROW' }));
    await expect(taking).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(readRowsAhead(table, [newKey()], async () => 'done')).resolves.toBe('done');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  });
});
