import type { DynamoDBBatchResponse, DynamoDBRecord, SQSBatchResponse } from 'aws-lambda';
import { streamConsumer } from '../../../infra/endpoints.ts';
import { type Receiver, startReceiver } from '../../../infra/local/demo/receiver.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { wrapEvent } from '../../../infra/local-aws/bus/event-envelope.ts';
import { matchesPattern } from '../../../infra/local-aws/bus/event-pattern.ts';
import { StreamReader } from '../../../infra/local-aws/stream/stream-reader.ts';
import { documentedTypes } from '../../../shared/events/documents-of-events.ts';
import { startHttpBus } from '../../functions/events/http-bus.ts';
import { startHttpQueue } from '../../functions/events/http-queue.ts';
import { open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi } from '../../support/shop/api.ts';

export type Version = '0.2.0' | 'today';

/** Which version of each function a stack has at a moment of a deployment or of a step back. */
export interface Versions {
  relay: Version;
  dispatcher: Version;
  sweep: Version;
  issuer: Version;
}

const atOnce = 10;

const inBatches = <One>(all: readonly One[]): One[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, nth) => all.slice(nth * atOnce, (nth + 1) * atOnce));

/** A stack whose functions change from one version to the other: the table, its stream, the bus, the queue, and two endpoints. */
export async function startChangingStack() {
  const [bus, queue] = await Promise.all([startHttpBus(), startHttpQueue()]);
  const api = await startApi(undefined, { AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url, DOCUMENT_QUEUE_URL: queue.url });
  const before = await open020(api);
  const stream = await StreamReader.open(api.table.call, api.tableName);
  const receivers = [await addReceiver(api), await addReceiver(api)];
  const invoke = (version: Version, name: string, event: unknown) =>
    (version === 'today' ? invokeFunction : before.invoke)(name, event);
  /** What a function failed on. */
  const failed: unknown[] = [];

  /** The records of new events, as the event-source mapping hands them to the relay. */
  async function newEvents(): Promise<DynamoDBRecord[]> {
    const records: DynamoDBRecord[] = [];
    for (let read = await stream.read(); read.length > 0; read = await stream.read()) records.push(...read);
    return records.filter((record) => matchesPattern(streamConsumer.filter, record));
  }

  async function dispatch(version: Version, event: unknown): Promise<void> {
    await invoke(version, 'webhooks/dispatch-webhook', event).catch((error: unknown) => void failed.push(error));
  }

  async function issue(version: Version, bodies: readonly string[]): Promise<void> {
    const Records = bodies.map((body, nth) => ({ messageId: String(nth), body }));
    const answer = await invoke(version, 'documents/issue-documents', { Records });
    failed.push(...(answer as SQSBatchResponse).batchItemFailures);
  }

  /**
   * Gives the waiting entries of the bus and of the queue to the functions. The rule of 0.2.0 sends events with
   * documents from the bus to the queue.
   */
  async function handOver(versions: Versions, hasRule = Object.values(versions).includes('0.2.0')): Promise<unknown[]> {
    const { dispatcher, issuer } = versions;
    const entries = bus.calls.splice(0).flat();
    const events = entries.map(({ Source: source, DetailType: detailType, Detail }) =>
      wrapEvent({ source, detailType, detail: JSON.parse(Detail) }),
    );
    const messages = queue.calls.splice(0).flat();
    const byRule = events.filter((event) => hasRule && new Set<string>(documentedTypes).has(event['detail-type']));
    const bodies = [...messages.map(({ MessageBody }) => MessageBody), ...byRule.map((event) => JSON.stringify(event))];
    for (const event of events) await dispatch(dispatcher, event);
    for (const batch of inBatches(bodies)) await issue(issuer, batch);
    return events;
  }

  return {
    api,
    before,
    receivers,
    failed,
    dispatch,
    handOver,
    invoke,
    /** Puts what is new on the bus and in the queue. */
    relay: async (version: Version) => {
      for (const Records of inBatches(await newEvents())) {
        const answer = await invoke(version, 'events/relay-events', { Records });
        failed.push(...(answer as DynamoDBBatchResponse).batchItemFailures);
      }
    },
    sweep: async (version: Version) => void (await invoke(version, 'events/sweep-due', {})),
    stop: () => Promise.all([bus.stop(), queue.stop(), api.stop(), ...receivers.map((receiver) => receiver.stop())]),
  };
}

export type ChangingStack = Awaited<ReturnType<typeof startChangingStack>>;

async function addReceiver(api: Api): Promise<Receiver> {
  const receiver = await startReceiver();
  const { body: webhook } = await api.call('POST /webhooks', { body: { url: receiver.url } });
  receiver.setSecret((await api.call(`GET /webhooks/${webhook.id}/secret`)).body.secret);
  return receiver;
}

/** Sells a book on a version. */
export async function sellOn({ call }: Pick<Release, 'call'>, productId: string): Promise<string> {
  const cart = [{ product_id: productId, quantity: 1 }];
  const { body: session } = await call('POST /checkouts', { body: { product_cart: cart } });
  const buyer = { email: 'buyer@example.com', name: 'A Buyer' };
  const body = { customer: buyer, billing_address: { country: 'DE' }, test_card: '4242' };
  const { body: paid } = await call(`POST /checkout/${session.session_id}/pay`, { key: null, body });
  return paid.payment_id;
}
