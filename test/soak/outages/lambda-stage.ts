import { AsyncLocalStorage } from 'node:async_hooks';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import type { DynamoDBBatchResponse, DynamoDBRecord, SQSBatchResponse } from 'aws-lambda';
import { vi } from 'vitest';
import { failedCalls } from '../../../infra/constructs/log-group.ts';
import { streamConsumer } from '../../../infra/endpoints.ts';
import { startReceiver } from '../../../infra/local/demo/receiver.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { wrapEvent } from '../../../infra/local-aws/bus/event-envelope.ts';
import { matchesPattern } from '../../../infra/local-aws/bus/event-pattern.ts';
import { StreamReader } from '../../../infra/local-aws/stream/stream-reader.ts';
import { logSink } from '../../../shared/log.ts';
import { table, world } from '../../../shared/wiring/runtime.ts';
import { startHttpBus } from '../../functions/events/http-bus.ts';
import { startHttpQueue } from '../../functions/events/http-queue.ts';
import { clock } from '../../support/clock.ts';
import { countedBy } from '../../support/metric-filter.ts';
import { type ApiAnswer, type Call, startApi, testMerchant } from '../../support/shop/api.ts';
import { type Command, sendThrough } from '../../support/table/send-through.ts';

/** What goes wrong at the seam between our code and AWS. */
export interface Trouble {
  /** The error of a call of the table that a function makes. */
  table?(command: Command, functionName: string): Error | undefined;
  /** The error of a mail. */
  mail?(): Error | undefined;
  /** A function whose calls Lambda ends at their timeout. */
  timesOut?: string;
  /** Whether Lambda starts no function. */
  isFull?: boolean;
}

const throttled = Symbol('throttled');

/** The functions that notice used-up concurrency first. The alarm watches these. */
const watched = ['events/sweep-due', 'events/relay-events'];

const isFailedCall = countedBy(failedCalls.logPatternString);

/** What Lambda writes about a call that it ended. */
const timedOut = { type: 'platform.report', record: { requestId: 'r', status: 'timeout' } };

interface Waiting {
  event: object | string;
  tries: number;
}

/** The functions of a stage with the rules of Lambda around them, minute by minute, and what CloudWatch measures of it. */
export async function startLambdaStage() {
  const [bus, queue, receiver] = await Promise.all([startHttpBus(), startHttpQueue(), startReceiver()]);
  const api = await startApi(
    { ...testMerchant, receipts: { from: 'shop@example.com' } },
    { AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url, DOCUMENT_QUEUE_URL: queue.url },
  );
  const sentAt = world.sentAt;
  world.sentAt = () => new Date(); // a receiver refuses a signature that is five minutes away from now
  const { body: webhook } = await api.call('POST /webhooks', { body: { url: receiver.url } });
  receiver.setSecret((await api.call(`GET /webhooks/${webhook.id}/secret`)).body.secret);
  const stream = await StreamReader.open(api.table.call, api.tableName);
  const running = new AsyncLocalStorage<string>();
  const measured = new Map<string, number[]>();
  const state = { trouble: {} as Trouble, records: [] as DynamoDBRecord[] };
  const waiting = { events: [] as Waiting[], messages: [] as Waiting[] };
  const mails: string[] = [];

  const measure = (name: string, value = 1) => void measured.set(name, [...(measured.get(name) ?? []), value]);
  const stopTrouble = sendThrough(table().client, (send) => async (command) => {
    const error = state.trouble.table?.(command, running.getStore() ?? 'a test');
    if (!error) return send(command);
    if (error.name === 'ThrottlingException')
      measure(/Get|Query/.test(command.constructor.name) ? 'ReadThrottleEvents' : 'WriteThrottleEvents');
    throw error;
  });
  const ses = vi.spyOn(SESv2Client.prototype, 'send').mockImplementation(async ({ input }: { input: object }) => {
    const error = state.trouble.mail?.();
    if (error) throw error;
    mails.push(JSON.stringify((input as { EmailTags?: unknown }).EmailTags));
    return { MessageId: String(mails.length) };
  });

  /** Calls a worker, and counts what Lambda counts. */
  async function start(name: string, event: unknown): Promise<unknown> {
    if (state.trouble.isFull) {
      if (watched.includes(name)) measure('Throttles');
      return throttled;
    }
    if (state.trouble.timesOut === name) {
      logSink.write(JSON.stringify(timedOut));
      throw new Error('Lambda ended the call.');
    }
    return running.run(name, () => invokeFunction(name, event));
  }

  async function relay(): Promise<void> {
    for (let read = await stream.read(); read.length > 0; read = await stream.read())
      state.records.push(...read.filter((record) => matchesPattern(streamConsumer.filter, record)));
    while (state.records.length > 0) {
      const Records = state.records.slice(0, 10);
      const answer = await start('events/relay-events', { Records });
      if (answer === throttled || (answer as DynamoDBBatchResponse).batchItemFailures.length > 0) return;
      state.records.splice(0, Records.length);
    }
  }

  /** What failed is tried again in a minute, and set aside after three tries. */
  const again = (failed: readonly Waiting[], queueName: string): Waiting[] => {
    const tried = failed.map((one) => ({ ...one, tries: one.tries + 1 }));
    for (const { tries } of tried) if (tries === 3) measure(queueName);
    return tried.filter(({ tries }) => tries < 3);
  };

  async function dispatch(): Promise<void> {
    const arrived = bus.calls.splice(0).flat();
    waiting.events.push(
      ...arrived.map(({ Source: source, DetailType: detailType, Detail }) => ({
        event: wrapEvent({ source, detailType, detail: JSON.parse(Detail) }),
        tries: 0,
      })),
    );
    for (const one of waiting.events.splice(0)) {
      const answer = await start('webhooks/dispatch-webhook', one.event).catch(() => 'failed');
      if (answer === throttled) waiting.events.push(one);
      if (answer === 'failed') waiting.events.push(...again([one], 'FailedDispatches'));
    }
  }

  async function issue(): Promise<void> {
    const arrived = queue.calls.splice(0).flat();
    waiting.messages.push(...arrived.map(({ MessageBody: event }) => ({ event, tries: 0 })));
    const all = waiting.messages.splice(0);
    for (let from = 0; from < all.length; from += 10) {
      const batch = all.slice(from, from + 10);
      const Records = batch.map(({ event: body }, nth) => ({ messageId: String(nth), body }));
      const answer = await start('documents/issue-documents', { Records }).catch(() => throttled);
      const failed =
        answer === throttled
          ? batch
          : (answer as SQSBatchResponse).batchItemFailures.flatMap(
              ({ itemIdentifier }) => batch[Number(itemIdentifier)] ?? [],
            );
      waiting.messages.push(...again(failed, 'FailedDocuments'));
    }
  }

  return {
    api,
    receiver,
    measured,
    mails,
    isIdle: () => [state.records, waiting.events, waiting.messages].every(({ length }) => length === 0),
    trouble: (trouble: Trouble) => void Object.assign(state, { trouble }),
    /** A request to the API, as the gateway answers it. */
    call: async (request: string, options: Call): Promise<Pick<ApiAnswer, 'status' | 'body'>> => {
      const answer = state.trouble.isFull
        ? { status: 503, body: {} }
        : await running.run(request, () => api.call(request, options));
      if (answer.status >= 500) measure('5xx');
      return answer;
    },
    /** A minute of the workers. */
    work: async () => {
      const from = api.log.length;
      clock.forward({ minutes: 1 });
      await relay();
      await dispatch();
      await issue();
      const swept = await start('events/sweep-due', {}).catch(() => 'failed');
      if (swept !== throttled) measure('Errors', swept === 'failed' ? 1 : 0);
      for (const line of api.log.slice(from)) {
        if (isFailedCall(line)) measure('WorkerErrors');
        for (const [name, value] of metricsIn(JSON.parse(line))) measure(name, value);
      }
    },
    stop: () => {
      stopTrouble();
      ses.mockRestore();
      world.sentAt = sentAt;
      return Promise.all([bus.stop(), queue.stop(), receiver.stop(), api.stop()]);
    },
  };
}

export type LambdaStage = Awaited<ReturnType<typeof startLambdaStage>>;

interface Line extends Record<string, unknown> {
  _aws?: { CloudWatchMetrics: { Metrics: { Name: string }[] }[] };
}

/** The measurements in a line of the log. */
const metricsIn = (line: Line): [string, number][] =>
  (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Metrics }) =>
    Metrics.map(({ Name }): [string, number] => [Name, Number(line[Name])]),
  );
