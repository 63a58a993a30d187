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

describe('rows that are read by their keys', () => {
  it('come in the order of the keys, and missing rows are undefined', async () => {
    const [one, other] = (await rowsOf(2)) as [RowKey, RowKey];
    const found = await findItems(table, [other, newKey(), one]);
    expect(textsOf(found)).toEqual(['row 1', undefined, 'row 0']);
  });

  it('are read in their current state, never in an older state', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    const [read] = await readsOf(() => findItem(table, key));
    expect(read?.input['RequestItems']).toEqual({ [table.name]: { Keys: [key], ConsistentRead: true } });
  });

  it('are requested once each, because the table refuses a call that repeats a key', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    let found: unknown[] = [];
    const reads = await readsOf(async () => {
      found = textsOf(await findItems(table, [key, { ...key }, key]));
    });
    expect(found).toEqual(['row 0', 'row 0', 'row 0']);
    expect(reads.map((read) => keysOf(read).length)).toEqual([1]);
  });

  it('are requested in calls of a hundred, because the table refuses more keys', async () => {
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
  ])('are treated as missing with $of, and the other rows are still found', async ({ key }) => {
    const [good] = (await rowsOf(1)) as [RowKey];
    expect(textsOf(await findItems(table, [key, good]))).toEqual([undefined, 'row 0']);
    await expect(findItem(table, key)).resolves.toBeUndefined();
  });
});

describe('rows that the table leaves out of an answer', () => {
  it('are requested again, and never treated as missing', async () => {
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

  it('cause a 503 within three seconds, not a 404, if they are left out repeatedly', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    faults = injectFaults(() => ({ leaves: () => true }), table.client);
    const startedAt = performance.now();
    await expect(findItem(table, key)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(faults.calls).toHaveLength(6);
  });

  it('because the table is overloaded also cause a 503', async () => {
    const busy = new ProvisionedThroughputExceededException({ message: 'on purpose', $metadata: {} });
    const reading = readsOf(
      () => findItem(table, newKey()),
      () => () => Promise.reject(busy),
    );
    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('rows that are read in advance', () => {
  it('are read in one call, and no other call is made for them', async () => {
    const [one, other] = (await rowsOf(2)) as [RowKey, RowKey];
    const reads = await readsOf(() =>
      readRowsAhead(table, [one, other, newKey()], async () => {
        expect(textsOf([await findItem(table, other), await findItem(table, one)])).toEqual(['row 1', 'row 0']);
      }),
    );
    expect(reads).toHaveLength(1);
  });

  it('are used once, and a second read gets the current row', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    await readRowsAhead(table, [key], async () => {
      expect((await findItem(table, key))?.['text']).toBe('row 0');
      await put(key, 'changed by another');
      expect((await findItem(table, key))?.['text']).toBe('changed by another');
    });
  });

  it('are dropped after a write, so a request sees the rows that it has written', async () => {
    const [key] = (await rowsOf(1)) as [RowKey];
    await readRowsAhead(table, [key], async () => {
      await vi.waitUntil(async () => (await findItems(table, [key]))[0]);
      await commit(table, [{ put: { ...key, text: 'mine' }, refusal: () => new Error('refused') }]);
      expect((await findItem(table, key))?.['text']).toBe('mine');
    });
  });

  it('belong to one request, and other simultaneous requests do not see them', async () => {
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

  it('that cannot be read cause an error only if one of them is used', async () => {
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
