import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { failedItems } from '../batch-response.ts';
import { type EventPattern, matchesPattern } from '../bus/event-pattern.ts';
import type { Invoke } from '../functions.ts';
import { reportGivenUp, reportRetry } from '../log.ts';
import type { TableCall } from './dynamo-wire.ts';
import { StreamReader } from './stream-reader.ts';

export interface StreamConsumer {
  call: TableCall;
  tableName: string;
  function: string;
  /** The filter of the records for the function. */
  filter: EventPattern;
  invoke: Invoke;
  batchSize?: number;
  /** How often a failed record is retried. After that, its batch is dropped. */
  maxRetries?: number;
  /** The pause before the first retry, in milliseconds. Each further pause is twice as long. */
  retryDelayMs?: number;
  /** The pause between two reads, in milliseconds. Records are collected in this time. */
  pollMs?: number;
}

type Settings = Required<StreamConsumer>;

const failedReadDelayMs = 500;

/** The index of the first failed record; 0 if the response is invalid. */
function firstFailure(batch: readonly DynamoDBRecord[], answer: unknown): number {
  const failed = failedItems(answer)?.map((item) =>
    batch.findIndex((record) => record.dynamodb?.SequenceNumber === item),
  );
  return failed ? Math.max(0, Math.min(batch.length, ...failed)) : 0;
}

/** Calls the function with a batch. Returns how many records, from the first on, are done. */
async function offer(batch: readonly DynamoDBRecord[], settings: Settings): Promise<number> {
  try {
    return firstFailure(batch, await settings.invoke(settings.function, { Records: batch }));
  } catch (error) {
    reportRetry('The reader of the stream failed.', error, { functionName: settings.function });
    return 0;
  }
}

/**
 * Delivers a batch. It continues with the first failed record, like Lambda, until all are done or one has failed too
 * often.
 */
async function deliver(batch: readonly DynamoDBRecord[], settings: Settings, signal: AbortSignal): Promise<void> {
  let rest = batch;
  let retries = 0;
  for (;;) {
    const taken = await offer(rest, settings);
    rest = rest.slice(taken);
    if (rest.length === 0) return;
    retries = taken > 0 ? 1 : retries + 1;
    if (retries > settings.maxRetries) break;
    await pause(settings.retryDelayMs * 2 ** (retries - 1), undefined, { signal });
  }
  reportGivenUp('Records of the stream were given up.', { functionName: settings.function, records: rest.length });
}

async function readAndDeliver(reader: StreamReader, settings: Settings, signal: AbortSignal): Promise<void> {
  const records = await reader.read();
  const wanted = records.filter((record) => matchesPattern(settings.filter, record));
  for (let start = 0; start < wanted.length; start += settings.batchSize) {
    const batch = wanted.slice(start, start + settings.batchSize);
    await deliver(
      batch.map((record) => ({ ...record, eventSourceARN: reader.streamArn })),
      settings,
      signal,
    );
  }
  await pause(settings.pollMs, undefined, { signal });
}

async function follow(reader: StreamReader, settings: Settings, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await readAndDeliver(reader, settings, signal);
    } catch (error) {
      if (signal.aborted) return;
      reportRetry('The stream could not be read.', error);
      await pause(failedReadDelayMs, undefined, { signal }).catch(() => {});
    }
  }
}

/**
 * Calls a function with everything that is written to the table after this promise resolves. It works like an
 * event-source mapping: filtered, in order, in batches, with partial responses. The sweep handles what was written
 * before.
 */
export async function startStream(consumer: StreamConsumer): Promise<{ stop(): Promise<void> }> {
  const settings: Settings = { batchSize: 10, maxRetries: 5, retryDelayMs: 50, pollMs: 50, ...consumer };
  const reader = await StreamReader.open(consumer.call, consumer.tableName);
  const stopping = new AbortController();
  const following = follow(reader, settings, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return following;
    },
  };
}
