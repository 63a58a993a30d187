import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LoopbackServer, listenOnLoopback, readBody } from '../../infra/local-aws/loopback-server.ts';
import { callAt } from '../../infra/local-aws/stream/dynamo-wire.ts';
import { StreamReader } from '../../infra/local-aws/stream/stream-reader.ts';

/** A stream whose shards end and whose iterators expire, which the emulator's never do. */
interface FakeStream {
  shards: Record<string, { records: string[]; ended: boolean }>;
  /** Shards whose iterators have expired. */
  expired: string[];
}

interface Input {
  ShardId: string;
  ShardIteratorType: 'LATEST' | 'TRIM_HORIZON' | 'AFTER_SEQUENCE_NUMBER';
  SequenceNumber: string;
  ShardIterator: string;
}

const starts = {
  LATEST: (records: string[]) => records.length,
  TRIM_HORIZON: () => 0,
  AFTER_SEQUENCE_NUMBER: (records: string[], number: string) => records.indexOf(number) + 1,
};

let stream: FakeStream;
let server: LoopbackServer;
let started: string[];

const answers: Record<string, (input: Input) => object | undefined> = {
  ListStreams: () => ({ Streams: [{ StreamArn: 'arn' }] }),
  DescribeStream: () => ({ StreamDescription: { Shards: Object.keys(stream.shards).map((ShardId) => ({ ShardId })) } }),
  GetShardIterator: ({ ShardId, ShardIteratorType: type, SequenceNumber }) => {
    started.push(`${ShardId} ${type}`);
    return { ShardIterator: `${ShardId}:${starts[type](stream.shards[ShardId]!.records, SequenceNumber)}` };
  },
  GetRecords: ({ ShardIterator }) => {
    const [id, from] = ShardIterator.split(':') as [string, string];
    if (stream.expired.includes(id)) return undefined;
    const { records, ended } = stream.shards[id]!;
    const Records = records.slice(Number(from)).map((SequenceNumber) => ({ dynamodb: { SequenceNumber } }));
    return { Records, NextShardIterator: ended ? null : `${id}:${records.length}` };
  },
};

beforeEach(async () => {
  stream = { shards: { first: { records: ['1'], ended: false } }, expired: [] };
  started = [];
  server = await listenOnLoopback(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1]!;
    const answer = answers[operation]!(JSON.parse(String(await readBody(request, 1e6))));
    response.writeHead(answer ? 200 : 400).end(JSON.stringify(answer ?? { __type: 'x#ExpiredIteratorException' }));
  });
});
afterEach(() => server.close());

const open = () => StreamReader.open(callAt(`http://127.0.0.1:${server.port}`), 'table');
const numbers = async (reader: StreamReader) => (await reader.read()).map(({ dynamodb }) => dynamodb?.SequenceNumber);

it('the stream reader continues after the last record if its iterator has expired', async () => {
  const reader = await open();
  stream.shards.first!.records.push('2');
  expect(await numbers(reader)).toEqual(['2']);
  stream.shards.first!.records.push('3');
  stream.expired = ['first'];
  await expect(reader.read()).rejects.toMatchObject({ name: 'ExpiredIteratorException' });
  stream.expired = [];
  expect(await numbers(reader)).toEqual(['3']);
  expect(started).toEqual(['first LATEST', 'first AFTER_SEQUENCE_NUMBER']);
});

it('the stream reader continues at the beginning of the next shard when a shard has ended', async () => {
  const reader = await open();
  stream.shards.first!.records.push('2');
  stream.shards.first!.ended = true;
  expect(await numbers(reader)).toEqual(['2']);
  stream.shards['second'] = { records: ['3', '4'], ended: false };
  expect(await numbers(reader)).toEqual(['3', '4']);
  expect(await numbers(reader)).toEqual([]);
});

it('the stream reader waits for the next shard if it appears late', async () => {
  const reader = await open();
  stream.shards.first!.ended = true;
  expect(await numbers(reader)).toEqual([]);
  expect(await numbers(reader)).toEqual([]);
  stream.shards['second'] = { records: ['2'], ended: false };
  expect(await numbers(reader)).toEqual(['2']);
});

it('the stream reader loses no record of a shard when the next shard cannot be read', async () => {
  stream.shards['second'] = { records: [], ended: false };
  const reader = await open();
  stream.shards.first!.records.push('2');
  stream.expired = ['second'];
  expect(await numbers(reader)).toEqual(['2']);
});
