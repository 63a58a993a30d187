import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { streamConsumer } from '../../infra/endpoints.ts';
import { createLocalTable, startLocalTable } from '../../infra/local/local-table.ts';
import { callAt } from '../../infra/local-aws/stream/dynamo-wire.ts';
import { type StreamConsumer, startStream } from '../../infra/local-aws/stream/stream.ts';
import type { LocalTable } from '../../infra/local-aws/table.ts';
import { collectLog } from '../local/log.ts';

const log = collectLog();
let server: LocalTable;
beforeAll(async () => {
  server = await startLocalTable();
});
afterAll(() => server.stop());

type Answer = (records: DynamoDBRecord[], call: number) => unknown;

const idOf = (record: DynamoDBRecord) => record.dynamodb?.NewImage?.['pk']?.S ?? '';

/** A stream whose consumer gives this answer. `calls` are the ids with which the consumer was called. */
async function following(answer: Answer, options: Partial<StreamConsumer> = {}) {
  const tableName = `stream-${crypto.randomUUID()}`;
  await createLocalTable(server.call, tableName);
  const events: DynamoDBStreamEvent[] = [];
  const stream = await startStream({
    call: server.call,
    tableName,
    function: 'relay',
    filter: streamConsumer.filter,
    retryDelayMs: 1,
    pollMs: 5,
    invoke: async (_, event) => {
      events.push(event as DynamoDBStreamEvent);
      return answer((event as DynamoDBStreamEvent).Records, events.length);
    },
    ...options,
  });
  const put = (pk: string, entity = 'EVENT') => {
    const Item = { pk: { S: pk }, sk: { S: 'X' }, entity: { S: entity }, payload: { B: 'AAEC' }, at: { N: '1.5' } };
    return server.call('PutItem', { TableName: tableName, Item });
  };
  const remove = (pk: string) =>
    server.call('DeleteItem', {
      TableName: tableName,
      Key: { pk: { S: pk }, sk: { S: 'X' } },
    });
  return { put, remove, events, stop: stream.stop, calls: () => events.map(({ Records }) => Records.map(idOf)) };
}

const failing = (...records: (DynamoDBRecord | undefined)[]) => ({
  batchItemFailures: records.map((record) => ({ itemIdentifier: record?.dynamodb?.SequenceNumber })),
});

/** All that a function was called with, once each. */
const seen = (calls: string[][]) => [...new Set(calls.flat())];

describe('the local stream', () => {
  it('passes a written event row to the function, in Lambda’s format', async () => {
    const stream = await following(() => undefined);
    await stream.put('EVENT#1');
    await vi.waitFor(() => expect(stream.calls()).toEqual([['EVENT#1']]));
    expect(stream.events[0]?.Records[0]).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      eventSourceARN: expect.stringContaining('/stream/'),
      dynamodb: {
        Keys: { pk: { S: 'EVENT#1' } },
        NewImage: { payload: { B: 'AAEC' }, at: { N: '1.5' } },
        StreamViewType: 'NEW_IMAGE',
      },
    });
    await stream.stop();
  });

  it('skips other rows, later changes and removals, because of the filter', async () => {
    const stream = await following(() => undefined);
    await stream.put('PAYMENT#1', 'PAYMENT');
    await stream.put('EVENT#1');
    await stream.put('EVENT#1'); // the same again: a change
    await stream.remove('EVENT#1');
    await stream.put('EVENT#2');
    await vi.waitFor(() => expect(seen(stream.calls())).toEqual(['EVENT#1', 'EVENT#2']));
    expect(stream.calls().flat()).toEqual(['EVENT#1', 'EVENT#2']);
    await stream.stop();
  });

  it('begins with rows written after its start', async () => {
    const tableName = `stream-${crypto.randomUUID()}`;
    await createLocalTable(server.call, tableName);
    const put = (pk: string) =>
      server.call('PutItem', {
        TableName: tableName,
        Item: { pk: { S: pk }, sk: { S: 'X' }, entity: { S: 'EVENT' } },
      });
    await put('EVENT#before');
    const ids: string[] = [];
    const { filter, function: name } = streamConsumer;
    const invoke = async (_: string, event: unknown) =>
      void ids.push(...(event as DynamoDBStreamEvent).Records.map(idOf));
    const stream = await startStream({ call: server.call, tableName, function: name, filter, invoke });
    await put('EVENT#after');
    await vi.waitFor(() => expect(ids).toEqual(['EVENT#after']));
    await stream.stop();
  });

  it('passes batches of at most ten records, in the order of writing', async () => {
    const gate = Promise.withResolvers<void>();
    const stream = await following(() => gate.promise);
    const ids = Array.from({ length: 23 }, (_, at) => `EVENT#${at}`);
    for (const id of ids) await stream.put(id);
    gate.resolve();
    await vi.waitFor(() => expect(stream.calls().flat()).toEqual(ids));
    expect(Math.max(...stream.calls().map((batch) => batch.length))).toBe(10);
    await stream.stop();
  });

  it('continues at the first record that failed', async () => {
    const gate = Promise.withResolvers<void>();
    const stream = await following(async (records, call) => {
      if (call === 1) await gate.promise;
      return call === 2 ? failing(records[2], records[1]) : undefined;
    });
    await stream.put('1');
    await vi.waitFor(() => expect(stream.calls()).toEqual([['1']]));
    for (const id of ['2', '3', '4']) await stream.put(id);
    gate.resolve();
    await vi.waitFor(() => expect(stream.calls()).toEqual([['1'], ['2', '3', '4'], ['3', '4']]));
    await stream.stop();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['names a record that it was not given', () => ({ batchItemFailures: [{ itemIdentifier: '999999' }] })],
    ['answers in another shape', () => ({ batchItemFailures: [{ id: '1' }] })],
  ])('repeats the whole batch when the function %s', async (_, fail) => {
    const stream = await following((_records, call) => (call === 1 ? fail() : { batchItemFailures: [] }));
    await stream.put('1');
    await vi.waitFor(() => expect(stream.calls()).toEqual([['1'], ['1']]));
    await stream.stop();
  });

  it('gives up a record that fails too often, logs it, and continues with the next', async () => {
    const stream = await following((records) => (idOf(records[0]!) === 'bad' ? failing(records[0]) : undefined), {
      maxRetries: 2,
      batchSize: 1,
    });
    await stream.put('bad');
    await stream.put('good');
    await vi.waitFor(() => expect(stream.calls().at(-1)).toEqual(['good']));
    expect(stream.calls()).toEqual([['bad'], ['bad'], ['bad'], ['good']]); // once and two repetitions
    expect(log.filter((line) => line.includes('given up'))).toHaveLength(1);
    await stream.stop();
  });

  it('loses no record when reads fail', async () => {
    const stream = await following(() => undefined, { call: callAt(server.endpoint) });
    await stream.put('1');
    await vi.waitFor(() => expect(stream.calls()).toHaveLength(1));
    const fetching = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed'));
    await vi.waitFor(() => expect(log.some((line) => line.includes('could not be read'))).toBe(true));
    fetching.mockRestore();
    await stream.put('2');
    await vi.waitFor(() => expect(stream.calls()).toEqual([['1'], ['2']]), 3_000);
    await stream.stop();
  });

  it('stops reading when it is stopped, and waits for the running call', async () => {
    const gate = Promise.withResolvers<void>();
    const stream = await following(() => gate.promise);
    await stream.put('1');
    await vi.waitFor(() => expect(stream.calls()).toHaveLength(1));
    let stopped = false;
    const stopping = stream.stop().then(() => {
      stopped = true;
    });
    expect(stopped).toBe(false);
    gate.resolve();
    await stopping;
    await stream.put('2');
    expect(stream.calls()).toEqual([['1']]);
  });
});
