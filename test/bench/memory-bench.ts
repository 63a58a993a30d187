import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DynamoDBRecord } from 'aws-lambda';
import { streamConsumer } from '../../infra/endpoints.ts';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { seedLocalKey } from '../../infra/local/local-key.ts';
import { setEnvironment } from '../../infra/local/sandbox-environment.ts';
import { matchesPattern } from '../../infra/local-aws/bus/event-pattern.ts';
import { callAt } from '../../infra/local-aws/stream/dynamo-wire.ts';
import { StreamReader } from '../../infra/local-aws/stream/stream-reader.ts';
import { logSink } from '../../shared/log.ts';
import { deliverWebhooks, issueInvoices, type SoldBook, type Step, walkPages } from '../deploy/journeys.ts';
import { call, testMerchant } from '../support/shop/api.ts';
import { addProduct } from '../support/shop/shop.ts';
import { median, report } from './measure.ts';

/** What a full vCPU takes, in megabytes of memory. */
const fullMegabytes = 1_769;
const memories = [256, 512, 1_024, fullMegabytes];

const [warmUps, rounds] = [150, 300];

/** How many events a worker finds at once. */
const batch = 10;

/** Starts what the functions call in another process, and tells the functions of this one where it is. */
async function startServers() {
  const child = fork(fileURLToPath(new URL('./memory-servers.ts', import.meta.url)));
  const [{ endpoint, tableName, busUrl, queueUrl, receiverUrl }] = await once(child, 'message');
  const endpoints = { table: endpoint, bucket: 'http://127.0.0.1:9', bus: busUrl, queue: queueUrl };
  setEnvironment({ publicUrl: 'http://localhost:4000', endpoints, merchant: testMerchant }, { TABLE_NAME: tableName });
  await seedLocalKey({ endpoint, tableName });
  const { body: webhook } = await call('POST /webhooks', { body: { url: receiverUrl } });
  child.send((await call(`GET /webhooks/${webhook.id}/secret`)).body.secret);
  const stream = await StreamReader.open(callAt(endpoint), tableName);
  return { newEvents: () => readEvents(stream), stop: () => child.disconnect() };
}

/** The records of new events, as the relay gets them. */
async function readEvents(stream: StreamReader): Promise<DynamoDBRecord[]> {
  const events: DynamoDBRecord[] = [];
  for (let read = await stream.read(); read.length > 0; read = await stream.read())
    events.push(...read.filter((record) => matchesPattern(streamConsumer.filter, record)));
  return events;
}

/**
 * The processor time that each function of a checkout takes when it is warm, this process alone: the SDK, the handler and the garbage that
 * they leave, without the table. From it follow duration and cost at each size of memory, which is a share of a processor.
 */
export async function benchMemory(): Promise<void> {
  logSink.write = () => {};
  const { newEvents, stop } = await startServers();
  const product = await addProduct({ call });
  const times = new Map<string, number[]>();
  const measured: Step = async (name, act) => {
    const before = process.cpuUsage();
    const result = await act();
    const { user, system } = process.cpuUsage(before);
    times.set(name, [...(times.get(name) ?? []), (user + system) / 1_000]);
    return result;
  };
  const sell = (round: number, step: Step) => walkPages({ call }, { product, round }, step);
  const work = async (sold: readonly SoldBook[], named: (name: string) => string) => {
    const Records = await newEvents();
    if (Records.length !== sold.length) throw new Error(`${sold.length} sales, and ${Records.length} events of them.`);
    await measured(named('the event goes on the bus'), () => invokeFunction(streamConsumer.function, { Records }));
    await measured(named('the webhook'), () => deliverWebhooks(sold));
    await measured(named('the invoice, through its queue'), () => issueInvoices(sold));
  };
  const waiting: SoldBook[] = [];
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (round === warmUps) times.clear();
    waiting.push(await sell(round, measured));
    if (waiting.length < batch) continue;
    await work(waiting, (name) => `${name}, ${batch} at once`);
    for (const { paymentId } of waiting.splice(0))
      await measured('the integrator reads the payment', () => call(`GET /payments/${paymentId}`));
    await work([await sell(warmUps + rounds + round, (_, act) => act())], (name) => `${name}, alone`);
  }
  const row = (name: string, cpu: number): [string, string] => [
    name,
    [
      `${cpu.toFixed(2)} ms of processor`,
      ...memories.map((megabytes) => `${megabytes} MB: ${((cpu * fullMegabytes) / megabytes).toFixed(0)} ms`),
    ].join('   '),
  ];
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  report('Functions of a checkout, warm: mean processor time, and what it lasts at a share of one, waits aside', [
    ...[...times].map(([name, values]) => row(name, mean(values))),
    ['median of the page', `${median(times.get('the page') ?? []).toFixed(2)} ms`],
  ]);
  stop();
}
