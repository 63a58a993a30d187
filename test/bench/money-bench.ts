import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inTurn, times } from '../support/seeded.ts';
import { type Api, type ApiAnswer, startApiThroughSdk } from '../support/shop/api.ts';
import { addProduct } from '../support/shop/shop.ts';
import { percentile, report } from './measure.ts';

/** What was asked of the table while something ran. */
interface Usage {
  reads: number;
  transactions: number;
  readUnits: number;
  writeUnits: number;
}

interface Consumed {
  CapacityUnits?: number;
}

/** Counts the calls of a client and what they cost, as the table itself reports it. */
function meter(client: DynamoDBDocumentClient): { since: () => Usage } {
  let usage: Usage = { reads: 0, transactions: 0, readUnits: 0, writeUnits: 0 };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const consumed = (answer.output as { ConsumedCapacity?: Consumed | Consumed[] }).ConsumedCapacity ?? [];
      const units = [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      const isTransaction = String(context['commandName']).startsWith('TransactWrite');
      usage[isTransaction ? 'transactions' : 'reads'] += 1;
      usage[isTransaction ? 'writeUnits' : 'readUnits'] += units;
      return answer;
    },
    { step: 'initialize', name: 'meter', priority: 'low' },
  );
  return {
    since: () => {
      const used = usage;
      usage = { reads: 0, transactions: 0, readUnits: 0, writeUnits: 0 };
      return used;
    },
  };
}

const buyer = { email: 'buyer@example.com', name: 'A Buyer' };

/** One buyer's way through the real handlers. */
function shopOf(api: Api, productId: string) {
  const expectOk = (answer: ApiAnswer): ApiAnswer => {
    if (answer.status === 200) return answer;
    throw new Error(`${answer.status}: ${answer.text}`);
  };
  const post = async (path: string, body: object, key?: null) =>
    expectOk(await api.call(`POST ${path}`, { body, ...(key === null && { key }) }));
  return {
    open: async (): Promise<string> =>
      (await post('/checkouts', { product_cart: [{ product_id: productId, quantity: 1 }] })).body.session_id,
    pay: async (sessionId: string): Promise<string> => {
      const asked = { customer: buyer, billing_address: { country: 'DE' }, test_card: '4242', expected_total: 1_999 };
      return (await post(`/checkout/${sessionId}/pay`, asked, null)).body.payment_id;
    },
    refund: (paymentId: string): Promise<ApiAnswer> => post('/refunds', { payment_id: paymentId }),
  };
}

type BenchShop = ReturnType<typeof shopOf>;

const describeUsage = ({ reads, transactions, readUnits, writeUnits }: Usage): string =>
  `${reads + transactions} calls: ${reads} reads (${readUnits} read units), ${transactions} transaction (${writeUnits} write units)`;

/** What a sale of one line and its refund cost. */
async function costs(shop: BenchShop, used: () => Usage): Promise<[string, string][]> {
  used();
  const sessionId = await shop.open();
  const open = used();
  const paymentId = await shop.pay(sessionId);
  const paid = used();
  await shop.refund(paymentId);
  const refunded = used();
  const total = open.writeUnits + paid.writeUnits + refunded.writeUnits;
  return [
    ['open a session', describeUsage(open)],
    ['pay', describeUsage(paid)],
    ['refund', describeUsage(refunded)],
    ['together', `${total} write units (goal: at most 30)`],
  ];
}

const milliseconds = (samples: readonly number[]): string =>
  `p50 ${percentile(samples, 0.5).toFixed(1)} ms, p99 ${percentile(samples, 0.99).toFixed(1)} ms`;

async function timed<Result>(samples: number[], act: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await act();
  samples.push(performance.now() - startedAt);
  return result;
}

/** Runs one after the other, so no call waits for another. */
async function latencies(shop: BenchShop, sales: number): Promise<[string, string][]> {
  const [paying, refunding]: [number[], number[]] = [[], []];
  for (const _ of times(sales)) {
    const sessionId = await shop.open();
    const paymentId = await timed(paying, () => shop.pay(sessionId));
    await timed(refunding, () => shop.refund(paymentId));
  }
  return [
    ['pay, one at a time', milliseconds(paying)],
    ['refund, one at a time', milliseconds(refunding)],
  ];
}

async function cyclesPerSecond(shop: BenchShop, cycles: number): Promise<string> {
  const startedAt = performance.now();
  const refunds = await inTurn(times(cycles), 8, async () => shop.refund(await shop.pay(await shop.open())));
  return `${Math.round((refunds.length * 1_000) / (performance.now() - startedAt))} a second`;
}

/** Calls, capacity and time of a sale and its refund, through the real handlers. */
export async function benchMoney(sales = 300): Promise<void> {
  const api = await startApiThroughSdk();
  const { table } = await import('../../shared/wiring/runtime.ts');
  const shop = shopOf(api, await addProduct(api));
  await cyclesPerSecond(shop, 30);
  const { since } = meter(table().client);
  const costing = await costs(shop, since);
  const timing = await latencies(shop, sales);
  const inProcess = await cyclesPerSecond(shop, sales);
  api.speakHttp();
  const overHttp = await cyclesPerSecond(shop, sales);
  await api.stop();
  report('A sale of one line and its refund', [
    ...costing,
    ...timing,
    ['session, pay, refund, 8 at once', inProcess],
    ['the same with the table behind HTTP', overHttp],
  ]);
}
