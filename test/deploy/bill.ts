import { accessLogFields } from '../../infra/constructs/http-api.ts';
import { dispatchRule, endpoints, queueConsumer, streamConsumer } from '../../infra/endpoints.ts';
import type { Waits } from './table-meter.ts';

/** Dollars, in us-east-1, beyond every free tier; a region of Europe asks for up to a quarter more. */
export const prices = {
  gatewayRequest: 1.0e-6,
  lambdaRequest: 0.2e-6,
  lambdaGigabyteSecond: 0.0000133334,
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  busEvent: 1.0e-6,
  queueRequest: 0.4e-6,
  logGigabyte: 0.5,
  storedGigabyteMonth: 0.25,
  backedUpGigabyteMonth: 0.2,
};

/** How many sales one call of a worker takes that reads a stream or a queue: as `docs/costs.md` explains. */
export const batch = 10;

/** Milliseconds of processor for a call when it is warm, as `npm run bench -- memory` printed them; of workers for ten events at once. */
const processorMs: Readonly<Record<string, number>> = {
  'the integrator opens a session': 2.97,
  'the page': 3.77,
  'its script, once': 1.88,
  'a total for the buyer’s place': 3.44,
  'the payment': 4.8,
  'the receipt': 2.68,
  'the event goes on the bus': 2.72,
  'the webhook': 41.29,
  'the invoice, through its queue': 19.94,
  'the integrator reads the payment': 1.42,
  /** As `npm run bench -- live` printed them. */
  'the payment, at Stripe': 5.79,
  'the return from Stripe': 5.14,
  'a notification of Stripe': 1.46,
  'a refund, by Stripe': 7.26,
};

/** The same of a worker that finds one event. */
const processorMsAlone: Readonly<Record<string, number>> = {
  'the event goes on the bus': 2.37,
  'the webhook': 6.71,
  'the invoice, through its queue': 6.44,
};

export const processorMsOf = ({ name, batch }: Counted): number =>
  (batch === 1 ? processorMsAlone[name] : undefined) ?? processorMs[name] ?? Number.NaN;

/** The function behind each step. */
const functionOf: Readonly<Record<string, string>> = {
  'the integrator opens a session': 'checkout-sessions/create-checkout-session',
  'the page': 'checkout/show-checkout',
  'its script, once': 'pages/get-asset',
  'a total for the buyer’s place': 'checkout/quote-checkout',
  'the payment': 'checkout/pay-checkout',
  'the receipt': 'checkout/show-checkout',
  'the event goes on the bus': streamConsumer.function,
  'the webhook': dispatchRule.function,
  'the invoice, through its queue': queueConsumer.function,
  'the integrator reads the payment': 'payments/get-payment',
  'the payment, at Stripe': 'checkout/pay-checkout',
  'the return from Stripe': 'checkout/return-checkout',
  'a notification of Stripe': 'processor/receive-notification',
  'a refund, by Stripe': 'refunds/create-refund',
};

const lines = [...endpoints, streamConsumer, dispatchRule, queueConsumer];

export const megabytesOf = (step: string): number =>
  lines.find((line) => line.function === functionOf[step])?.memoryMegabytes ?? Number.NaN;

/** What a call waits for, in milliseconds: taken, not measured. */
const waits = { read: 5, write: 8, transaction: 15, receiver: 100, bus: 10, stripe: 300 };

/** A processor of Lambda, with TLS to speak, is taken to be half as fast as the one that was measured. */
const slowness = 2;

/** With so much memory a function has a whole processor. */
const wholeMegabytes = 1_769;

export const sizes = [256, 512, 1_024, wholeMegabytes];

/** What CloudWatch counts with each line, and the time that Lambda adds to one of ours. */
const bytesBesideLine = 26;
const bytesOfTime = 40;

/** A line of the access log as the gateway fills it in. */
const accessLine = JSON.stringify({
  ...accessLogFields,
  requestId: 'JKJaXmPLvHcESHA=',
  route: 'POST /checkout/{id}/quote',
  status: '200',
  latencyMs: '43',
  integrationError: '-',
});

/** What was counted of one step; of a batch as a whole. */
export interface Counted {
  name: string;
  /** How often a checkout has it. */
  times: number;
  /** How many checkouts one call serves. */
  batch: number;
  isRequest: boolean;
  writeUnits: number;
  readUnits: number;
  table: Waits;
  logLines: readonly string[];
  busEvents?: number;
  queueRequests?: number;
  /** How many answers of Stripe it waits for. */
  stripeCalls?: number;
}

const waitOf = ({ name, table, stripeCalls = 0 }: Counted): number =>
  table.read * waits.read +
  table.write * waits.write +
  table.transaction * waits.transaction +
  stripeCalls * waits.stripe +
  (name === 'the webhook' ? waits.receiver : 0) +
  (name === 'the event goes on the bus' ? waits.bus : 0);

/** How long one call lasts with so much memory. */
export const millisecondsOf = (step: Counted, megabytes: number): number =>
  slowness * processorMsOf(step) * Math.max(1, wholeMegabytes / megabytes) + waitOf(step);

export const gigabyteSecondsOf = (step: Counted, megabytes: number): number =>
  (millisecondsOf(step, megabytes) / 1_000) * (megabytes / 1_024);

/** A line as long as it is where the receiver answers in a tenth of a second. */
const steady = (line: string): string => line.replace(/"latencyMs":\d+/, '"latencyMs":100');

const logBytesOf = ({ isRequest, logLines }: Counted): number =>
  (isRequest ? Buffer.byteLength(accessLine) + bytesBesideLine : 0) +
  logLines.reduce((bytes, line) => bytes + Buffer.byteLength(steady(line)) + bytesBesideLine + bytesOfTime, 0);

const million = 1_000_000;

/** Dollars for a million checkouts, part by part. */
export function billOf(steps: readonly Counted[]): [string, string, number][] {
  const sum = (figure: (one: Counted) => number): number =>
    steps.reduce((total, one) => total + (figure(one) * one.times) / one.batch, 0);
  const requests = sum(({ isRequest }) => (isRequest ? 1 : 0));
  const calls = sum(() => 1);
  const seconds = sum((one) => gigabyteSecondsOf(one, megabytesOf(one.name)));
  const [writes, reads] = [sum((one) => one.writeUnits), sum((one) => one.readUnits)];
  const logs = sum(logBytesOf);
  const [busEvents, queued] = [sum((one) => one.busEvents ?? 0), sum((one) => one.queueRequests ?? 0)];
  return [
    ['API Gateway', `${requests} requests`, requests * prices.gatewayRequest * million],
    ['Lambda, calls', `${calls.toFixed(1)} calls`, calls * prices.lambdaRequest * million],
    ['Lambda, time', `${seconds.toFixed(2)} GB-s`, seconds * prices.lambdaGigabyteSecond * million],
    ['DynamoDB, writes', `${figureOf(writes)} units`, writes * prices.writeUnit * million],
    ['DynamoDB, reads', `${figureOf(reads)} units`, reads * prices.readUnit * million],
    ['EventBridge', `${figureOf(busEvents)} event`, busEvents * prices.busEvent * million],
    ['SQS', `${figureOf(queued)} requests`, queued * prices.queueRequest * million],
    ['CloudWatch Logs', `${(logs / 1_000).toFixed(2)} kB`, (logs / 1e9) * prices.logGigabyte * million],
  ];
}

/** `36`, and of a batch `8.2`. */
export const figureOf = (units: number): string => String(Math.round(10 * units) / 10);

export const totalOf = (steps: readonly Counted[]): number =>
  billOf(steps).reduce((all, [, , dollars]) => all + dollars, 0);
