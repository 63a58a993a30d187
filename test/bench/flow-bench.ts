import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ApiClient, apiClient } from '../../infra/local/demo/api-client.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { times } from '../support/seeded.ts';
import { fieldGuide } from '../support/shop/shop.ts';
import { median, report } from './measure.ts';
import { hashesPerSecond } from './yardstick.ts';

/** A sandbox whose flow is measured. */
interface Contender {
  name: string;
  api: ApiClient;
  productId: string;
}

const buyer = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
  test_card: '4242',
  expected_total: 1_999,
};

/** Open a session, pay it, refund it: three requests over HTTP, one after the other. */
async function cycle({ api, productId }: Contender): Promise<void> {
  const cart = { product_cart: [{ product_id: productId, quantity: 1 }] };
  const { session_id } = (await api.post('/checkouts', cart)) as { session_id: string };
  const { payment_id } = (await api.post(`/checkout/${session_id}/pay`, buyer)) as { payment_id: string };
  await api.post('/refunds', { payment_id });
}

async function contender(name: string, url: string): Promise<Contender> {
  const api = apiClient(url, localKey);
  const { product_id: productId } = (await api.post('/products', fieldGuide)) as { product_id: string };
  return { name, api, productId };
}

/** Starts a sandbox in a process of its own and waits until it is filled. */
async function startFilled(payments: number) {
  const child = fork(fileURLToPath(new URL('./flow-sandbox.ts', import.meta.url)), [String(payments)]);
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`A sandbox ended with ${code}.`)));
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
  ended.catch(() => {});
  const stop = async () => {
    const exit = once(child, 'exit');
    child.disconnect();
    await exit;
  };
  return { url, stop };
}

interface FlowOptions {
  /** How many payments each of our sandboxes holds before it is measured. */
  payments: number[];
  /** Sandboxes that run already, such as another version's. */
  urls: string[];
  rounds: number;
  cycles: number;
}

/** `--payments 0,2000,20000 --url http://localhost:4001 --rounds 9 --cycles 20` */
export function flowOptions(args: string[]): FlowOptions {
  const text = { type: 'string' } as const;
  const options = { payments: text, url: { ...text, multiple: true }, rounds: text, cycles: text } as const;
  const { payments = '0,2000,20000', url: urls = [], rounds = 9, cycles = 20 } = parseArgs({ args, options }).values;
  return { payments: payments.split(',').map(Number), urls, rounds: Number(rounds), cycles: Number(cycles) };
}

/** Milliseconds of one act, the mean of as many in a row. */
async function timed(count: number, act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (const _ of times(count)) await act();
  return (performance.now() - startedAt) / count;
}

/** Medians of rounds in which each contender has its turn. */
async function inRounds(contenders: readonly Contender[], rounds: number, take: (one: Contender) => Promise<number>) {
  const samples = new Map(contenders.map(({ name }): [string, number[]] => [name, []]));
  const hashes: number[] = [];
  for (const _ of times(rounds)) {
    hashes.push(hashesPerSecond());
    for (const one of contenders) samples.get(one.name)?.push(await take(one));
  }
  return { hashes, medians: new Map([...samples].map(([name, values]) => [name, median(values)])) };
}

/** The flow over HTTP: sandboxes that hold more and more payments, and others that run already, in turn. */
export async function benchFlow({ payments, urls, rounds, cycles }: FlowOptions): Promise<void> {
  const filled = await Promise.all(payments.map(startFilled));
  try {
    const contenders = await Promise.all([
      ...filled.map(({ url }, index) => contender(`after ${payments[index]} payments`, url)),
      ...urls.map((url) => contender(url, url)),
    ]);
    for (const one of contenders) await timed(cycles, () => cycle(one));
    const flow = await inRounds(contenders, rounds, (one) => timed(cycles, () => cycle(one)));
    const pages = await inRounds(contenders, rounds, (one) => timed(10, () => one.api.get('/payments?page_size=100')));
    reportFlow(flow.medians, pages.medians, median([...flow.hashes, ...pages.hashes]));
  } finally {
    await Promise.all(filled.map(({ stop }) => stop()));
  }
}

type Medians = ReadonlyMap<string, number>;

function reportFlow(flow: Medians, pages: Medians, hashes: number): void {
  const [fresh = Number.NaN] = flow.values();
  const [firstPage = Number.NaN] = pages.values();
  report('The flow over HTTP: session, pay, refund, one at a time', [
    ...[...flow].map(([name, time]): [string, string] => [
      name,
      `${(1_000 / time).toFixed(1).padStart(6)} cycles a second, ${(fresh / time).toFixed(2)} of the first`,
    ]),
    ...[...pages].map(([name, time]): [string, string] => [
      `100 payments in a page, ${name}`,
      `${time.toFixed(1).padStart(6)} ms, ${(time / firstPage).toFixed(2)} of the first`,
    ]),
    ['this machine', `${hashes} SHA-256 of 64 kB a second`],
  ]);
}
