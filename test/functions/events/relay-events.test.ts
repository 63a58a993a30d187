import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { streamConsumer } from '../../../infra/endpoints.ts';
import { setEnvironment } from '../../../infra/local/sandbox-environment.ts';
import { matchesPattern } from '../../../infra/local-aws/bus/event-pattern.ts';
import { StreamReader } from '../../../infra/local-aws/stream/stream-reader.ts';
import { sampleExpiry } from '../../../shared/domain/webhooks/sample-expiry.ts';
import { samplePayment, sampleRefund, sampleThreshold } from '../../../shared/domain/webhooks/sample-payment.ts';
import { eventIdsIn } from '../../../shared/events/bus-detail.ts';
import {
  recordExpiryEvent,
  recordPaymentEvent,
  recordRefundEvent,
  recordThresholdEvent,
} from '../../../shared/events/catalogue.ts';
import { documentedBy } from '../../../shared/events/queued-document.ts';
import { logSink } from '../../../shared/log.ts';
import { documentQueue } from '../../../shared/outside/bus/document-queue.ts';
import { packPayload } from '../../../shared/store/events/event-payload.ts';
import { eventWrite } from '../../../shared/store/events/event-store.ts';
import { parseStreamedEvent } from '../../../shared/store/events/streamed-event.ts';
import { freezeEvent } from '../../../shared/wire/webhooks/event.ts';
import { world } from '../../../shared/wiring/runtime.ts';
import { seeded, times } from '../../support/seeded.ts';
import { testMerchant } from '../../support/shop/api.ts';
import { startService } from '../webhooks/service.ts';
import { startHttpBus } from './http-bus.ts';
import { startHttpQueue } from './http-queue.ts';
import { drainShard } from './stream-simulator.ts';

let bus: Awaited<ReturnType<typeof startHttpBus>>;
let queue: Awaited<ReturnType<typeof startHttpQueue>>;
const log: string[] = [];
let handler: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;
beforeAll(async () => {
  [bus, queue] = await Promise.all([startHttpBus(), startHttpQueue()]);
  const nowhere = 'http://127.0.0.1:9';
  const endpoints = { table: nowhere, bucket: nowhere, bus: bus.url, queue: queue.url };
  setEnvironment({ publicUrl: 'http://localhost:4000', endpoints, merchant: testMerchant }, {});
  logSink.write = (line) => void log.push(line);
  ({ handler } = await import('../../../functions/events/relay-events.ts'));
});
afterAll(() => Promise.all([bus.stop(), queue.stop()]));
beforeEach(() => {
  bus.taken.length = 0;
  bus.calls.length = 0;
  bus.bus.verdict = () => 'taken';
  queue.taken.length = 0;
  queue.calls.length = 0;
  queue.queue.verdict = () => 'taken';
  log.length = 0;
});

let sequenceNumber = 100;

/** The stream's record of a new event row: its new image and nothing else. */
function recordOf(id: string, note = '', status: 'succeeded' | 'failed' = 'succeeded'): DynamoDBRecord {
  const now = '2026-03-01T12:00:00.000Z';
  const payment = { ...samplePayment(status, now), metadata: { note } };
  const { event } = recordPaymentEvent(payment, { id, now });
  const { put } = eventWrite(event, freezeEvent({ businessId: 'demo', publicUrl: 'https://pay.example.com' })(event));
  sequenceNumber += 1;
  const image = {
    id: { S: id },
    type: { S: event.type },
    occurredAt: { S: now },
    paymentId: { S: event.paymentId },
    sequence: { N: String(event.sequence) },
    payload: { B: Buffer.from(put['payload'] as Uint8Array).toString('base64') },
  };
  return {
    eventName: 'INSERT',
    dynamodb: { SequenceNumber: String(sequenceNumber), NewImage: image },
  } as DynamoDBRecord;
}

/** A row as the table's stream writes it, where bytes are base64. */
const streamedImage = (row: object) =>
  JSON.parse(
    JSON.stringify(marshall(row, { removeUndefinedValues: true }), (_, value) =>
      value?.B ? { B: Buffer.from(Object.values<number>(value.B)).toString('base64') } : value,
    ),
  );

const records = (count: number): DynamoDBRecord[] => Array.from({ length: count }, () => recordOf(world.newId('evt')));
const idsOf = (some: readonly DynamoDBRecord[]) => some.map(({ dynamodb }) => dynamodb?.NewImage?.['id']?.S);

describe('the function that relays events from the stream', () => {
  it('puts the event’s ids on the bus, but not its body', async () => {
    await handler({ Records: [recordOf('evt_1')] });
    const [entry] = bus.calls.flat();
    expect(entry).toMatchObject({
      Source: 'tillstack',
      DetailType: 'payment.succeeded',
      EventBusName: 'tillstack-payments',
    });
    const detail = JSON.parse(entry?.Detail ?? '{}');
    const payment_id = samplePayment('succeeded', '2026-01-01T00:00:00.000Z').id;
    expect(detail).toEqual({
      version: 1,
      event_id: 'evt_1',
      type: 'payment.succeeded',
      sequence: 1,
      payment_id,
      data: {},
    });
  });

  it('puts the events of one type into one entry: the first at the top level, the others in a list', async () => {
    await handler({
      Records: [recordOf('evt_1'), recordOf('evt_2', '', 'failed'), recordOf('evt_3'), recordOf('evt_4')],
    });
    const details = bus.calls.flat().map(({ Detail }) => JSON.parse(Detail));
    const [{ more, ...first }, failed] = details;
    expect(details).toHaveLength(2);
    expect([first, ...more].map(({ event_id, type }) => [event_id, type])).toEqual(
      ['evt_1', 'evt_3', 'evt_4'].map((id) => [id, 'payment.succeeded']),
    );
    expect(failed).toMatchObject({ event_id: 'evt_2', type: 'payment.failed' });
    expect(failed).not.toHaveProperty('more');
  });

  it('puts events without a payment on the bus, in the form that the stream writes', async () => {
    const frozen = freezeEvent({ businessId: 'demo', publicUrl: 'https://pay.example.com' });
    const stamp = { now: '2026-03-01T12:00:00.000Z' };
    const events = [
      recordExpiryEvent(sampleExpiry(stamp.now), { ...stamp, id: 'evt_expired' }),
      recordThresholdEvent(sampleThreshold('passed', stamp.now), { ...stamp, id: 'evt_passed' }),
    ];
    const streamed = events.map((event, index) => ({
      eventName: 'INSERT',
      dynamodb: {
        SequenceNumber: String(index),
        NewImage: streamedImage(eventWrite(event, frozen(event)).put),
      },
    }));
    const answer = await handler({ Records: streamed as unknown as DynamoDBRecord[] });
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(bus.taken).toEqual(['evt_expired', 'evt_passed']);
  });

  it('loses no event when the bus answers 200 with failed entries (typebridge#22, airflow#32498, action-destinations#2828)', async () => {
    const random = seeded(3);
    bus.bus.verdict = () => (random() < 0.2 ? (random() < 0.5 ? 'InternalFailure' : 'ThrottlingException') : 'taken');
    const all = Array.from({ length: 5_000 }, () => recordOf(world.newId('evt'), '', 'failed')); // for the bus alone
    const { setAside, calls } = await drainShard(all, handler, { batchSize: 10, maxRetries: 10 });
    const doubled = bus.taken.length - new Set(bus.taken).size;
    console.log(`C2: 500 batches, ${calls} calls, ${bus.calls.length} PutEvents, ${doubled} doubled, 0 lost`);
    expect(setAside).toEqual([]);
    expect(new Set(bus.taken)).toEqual(new Set(idsOf(all)));
  });

  it('sends only the refused entries again', async () => {
    let refusals = 1;
    bus.bus.verdict = ({ Detail }) => (Detail.includes('"evt_b"') && refusals-- > 0 ? 'InternalFailure' : 'taken');
    const answer = await handler({ Records: [recordOf('evt_a'), recordOf('evt_b', '', 'failed'), recordOf('evt_c')] });
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(bus.taken).toEqual(['evt_a', 'evt_c', 'evt_b']);
  });

  it('reports the records that the bus refuses permanently', async () => {
    bus.bus.verdict = ({ Detail }) => (Detail.includes('"evt_b"') ? 'InternalFailure' : 'taken');
    const batch = [recordOf('evt_a'), recordOf('evt_b', '', 'failed'), recordOf('evt_c')];
    const answer = await handler({ Records: batch });
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: batch[1]?.dynamodb?.SequenceNumber }]);
  });

  it('sets aside only the event that the bus refuses permanently, not others in the same entry', async () => {
    bus.bus.verdict = ({ Detail }) => (Detail.includes('"evt_poison"') ? 'InternalFailure' : 'taken');
    const all = records(20);
    const poison = all[7] as DynamoDBRecord;
    poison.dynamodb = recordOf('evt_poison').dynamodb;
    const { setAside } = await drainShard(all, handler, { batchSize: 10, maxRetries: 10 });
    expect(setAside).toEqual([poison]);
    expect(new Set(bus.taken)).toEqual(new Set(idsOf(all.filter((record) => record !== poison))));
  });

  it('publishes 99 of 100 records within five rounds, and sets the unreadable one aside', async () => {
    const all = records(100);
    const poison = all[37] as DynamoDBRecord;
    poison.dynamodb = { ...poison.dynamodb, NewImage: { id: { S: 'evt_poison' } } };
    const { setAside, offers, calls } = await drainShard(all, handler, { batchSize: 10, maxRetries: 10 });
    const good = all.filter((record) => record !== poison);
    const rounds = Math.max(...good.map(({ dynamodb }) => offers.get(dynamodb?.SequenceNumber ?? '') ?? 0));
    console.log(
      `C5: ${new Set(bus.taken).size} published in at most ${rounds} rounds, ${setAside.length} set aside, ${calls} calls`,
    );
    expect(new Set(bus.taken)).toEqual(new Set(idsOf(good)));
    expect(rounds).toBeLessThanOrEqual(5);
    expect(setAside).toEqual([poison]);
  });

  describe.each(['no JSON', 'null', '{"type":"payment.succeeded"}', '{"data":null}'])(
    'a record with the payload %j',
    (payload) => {
      const poisoned = () => {
        const record = recordOf('evt_poison');
        const { payload: _, ...image } = record.dynamodb?.NewImage ?? {};
        const packed = { B: packPayload(payload).toString('base64') };
        return {
          ...record,
          dynamodb: { ...record.dynamodb, NewImage: { ...image, payload: packed } },
        } as DynamoDBRecord;
      };

      it('does not stop the other events of the call, is reported as failed, and is logged as an error', async () => {
        const batch = [recordOf('evt_a'), poisoned(), recordOf('evt_c')];
        const answer = await handler({ Records: batch });
        expect(answer.batchItemFailures).toEqual([{ itemIdentifier: batch[1]?.dynamodb?.SequenceNumber }]);
        expect([bus.taken, queue.taken]).toEqual([
          ['evt_a', 'evt_c'],
          ['evt_a', 'evt_c'],
        ]);
        const errors = log.filter((line) => line.includes('"level":"error"'));
        expect(errors).toHaveLength(1);
        expect(errors[0]).toContain('evt_poison');
      });

      it('is the only record that is set aside', async () => {
        const all = records(20);
        all[7] = poisoned();
        const { setAside } = await drainShard(all, handler, { batchSize: 10, maxRetries: 10 });
        expect(setAside).toEqual([all[7]]);
        expect(new Set(bus.taken)).toEqual(new Set(idsOf(all.filter((record) => record !== all[7]))));
      });
    },
  );

  it('puts ten events of one type into one entry, billed as one, and other types into other entries', async () => {
    const failed = recordOf('evt_failed', '', 'failed');
    const ids = Array.from({ length: 9 }, (_, index) => `evt_${index}`);
    await handler({
      Records: [...ids.slice(0, 4), failed, ...ids.slice(4)].map((one) =>
        typeof one === 'string' ? recordOf(one) : one,
      ),
    });
    const carried = bus.calls.flat().map(({ DetailType, Detail }) => [DetailType, eventIdsIn(JSON.parse(Detail))]);
    expect(carried).toEqual([
      ['payment.succeeded', ids],
      ['payment.failed', ['evt_failed']],
    ]);
  });

  it('puts ten large events into one entry that is billed as one', async () => {
    await handler({ Records: Array.from({ length: 10 }, (_, index) => recordOf(`evt_${index}`, 'x'.repeat(60_000))) });
    const sizes = bus.calls.flat().map(({ Detail }) => Buffer.byteLength(Detail));
    expect(bus.taken).toHaveLength(10);
    expect([sizes.length, Math.max(...sizes) < 4_000]).toEqual([1, true]);
  });

  it('needs only the new image from the stream, with the filter that is deployed', async () => {
    const service = await startService();
    const reader = await StreamReader.open(service.call, service.table.name);
    const ids = await service.commitEvents(12);
    await service.addEndpoint();
    const seen = (await reader.read()).filter((record) => matchesPattern(streamConsumer.filter, record));
    expect(seen.every(({ dynamodb }) => dynamodb?.OldImage === undefined)).toBe(true);
    expect(await handler({ Records: seen })).toEqual({ batchItemFailures: [] });
    expect([...bus.taken].sort()).toEqual([...ids].sort());
    await service.stop();
  });
});

describe('the queue of documents', () => {
  const refused = () => log.filter((line) => line.includes('The queue of documents refused an event.'));

  it('gets the ids of ten sales in one request, in a format that release 0.2 can read', async () => {
    await handler({ Records: Array.from({ length: 10 }, (_, index) => recordOf(`evt_${index}`, 'x'.repeat(60_000))) });
    expect(queue.calls).toHaveLength(1);
    const bodies = queue.calls.flat().map(({ MessageBody }) => MessageBody);
    expect(Math.max(...bodies.map((body) => body.length))).toBeLessThan(200);
    const paymentId = samplePayment('succeeded', '2026-03-01T12:00:00.000Z').id;
    expect(bodies.flatMap((body) => documentedBy(JSON.parse(body)))).toEqual(
      Array.from({ length: 10 }, (_, index) => ({ eventId: `evt_${index}`, subject: { paymentId } })),
    );
  });

  it('gets refunds by their id, and no event that needs no document', async () => {
    const stamp = { now: '2026-03-01T12:00:00.000Z' };
    const frozen = freezeEvent({ businessId: 'demo', publicUrl: 'https://pay.example.com' });
    const payment = samplePayment('succeeded', stamp.now);
    const refund = sampleRefund('succeeded', stamp.now);
    const { event } = recordRefundEvent(payment, refund, { ...stamp, id: 'evt_refund' });
    const expired = recordExpiryEvent(sampleExpiry(stamp.now), { ...stamp, id: 'evt_expired' });
    const streamed = [event, expired].map((one, index) => ({
      eventName: 'INSERT',
      dynamodb: { SequenceNumber: String(index), NewImage: streamedImage(eventWrite(one, frozen(one)).put) },
    }));
    await handler({ Records: streamed as unknown as DynamoDBRecord[] });
    expect(bus.taken).toEqual(['evt_refund', 'evt_expired']);
    expect(queue.taken).toEqual(['evt_refund']);
    expect(queue.calls.flat().flatMap(({ MessageBody }) => documentedBy(JSON.parse(MessageBody)))).toEqual([
      { eventId: 'evt_refund', subject: { refundId: refund.id } },
    ]);
  });

  it('gets a refused message a second time, and no other message again', async () => {
    let refusals = 1;
    queue.queue.verdict = ({ MessageBody }) =>
      MessageBody.includes('"evt_b"') && refusals-- > 0 ? 'InternalError' : 'taken';
    await handler({ Records: ['evt_a', 'evt_b', 'evt_c'].map((id) => recordOf(id)) });
    expect(queue.taken).toEqual(['evt_a', 'evt_c', 'evt_b']);
    expect(refused()).toEqual([]);
  });

  it.each(['InternalError', 'no answer'] as const)(
    'does not block the stream when it refuses a message (%s); the sweep retries the event later',
    async (verdict) => {
      queue.queue.verdict = () => verdict;
      expect(await handler({ Records: [recordOf('evt_a')] })).toEqual({ batchItemFailures: [] });
      expect(bus.taken).toEqual(['evt_a']);
      expect(queue.taken).toEqual([]);
      expect(refused()).toHaveLength(1);
    },
  );

  it('is abandoned after a time limit when it does not answer, so webhooks are not delayed', async () => {
    queue.queue.verdict = () => 'silence';
    const event = parseStreamedEvent(recordOf('evt_a').dynamodb?.NewImage);
    const [refusal] = await documentQueue(queue.url, 500).send([event]);
    expect(refusal).toEqual({ event, reason: 'AbortError' });
    expect(queue.calls).toHaveLength(1);
  });

  it('hands out events at a rate, if there is one: five at two a second come in three seconds', async () => {
    const events = times(5).map(() => parseStreamedEvent(recordOf('evt_a').dynamodb?.NewImage));
    expect(await documentQueue(queue.url).send(events, 2)).toEqual([]);
    const delays = queue.calls.flat().map((one) => (one as { DelaySeconds?: number }).DelaySeconds ?? 0);
    expect(delays).toEqual([0, 0, 1, 1, 2]);
  });

  it('gets an event even if the bus refuses it, and gets it again when the record is retried', async () => {
    bus.bus.verdict = () => 'InternalFailure';
    const batch = [recordOf('evt_a')];
    const answer = await handler({ Records: batch });
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: batch[0]?.dynamodb?.SequenceNumber }]);
    expect(queue.taken).toEqual(['evt_a']);
  });
});
