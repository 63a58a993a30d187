import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterEach, expect, it, vi } from 'vitest';
import { connectSeconds, guardedConnector } from '../../../shared/outside/webhooks/guarded-agent.ts';
import { receiver, sendWebhookTo, stopReceivers } from '../../outside/webhooks/receiver.ts';

afterEach(stopReceivers);
afterEach(() => vi.restoreAllMocks());

/** How many times sooner deadlines end here than in a deployed stack. */
const speed = 25;

/** Lets deadlines pass sooner; remembers what was asked for. */
function hurry(): number[] {
  const asked: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    asked.push(milliseconds);
    return timeout(milliseconds / speed);
  });
  return asked;
}

it('A webhook request is aborted after 15 seconds, and a connection attempt after five', async () => {
  const deadlines = hurry();
  const slow = await receiver(() => {});
  const dripping = await receiver(async (response) => {
    response.writeHead(200);
    while (!response.destroyed) {
      response.write('.');
      await pause(8);
    }
  });
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const mute = new Agent({ connect: muted((silent.address() as AddressInfo).port) });
  const [cut, dripped, unconnected] = await Promise.all([
    sendWebhookTo(slow.url),
    sendWebhookTo(dripping.url),
    sendWebhookTo('https://8.8.8.8/', {}, { dispatcher: mute, deadlineMs: 3_600_000 }),
  ]);
  expect(deadlines).toEqual([15_000, 15_000, 3_600_000]);
  expect(cut).toMatchObject({ status: null, error: 'timeout' });
  expect(dripped).toMatchObject({ status: 200, error: null });
  for (const { latencyMs } of [cut, dripped]) expect(latencyMs).toBeGreaterThanOrEqual(15_000 / speed - 10);
  // its deadline is far away: what ends it is the limit of the connection
  expect(unconnected).toMatchObject({ status: null, error: 'timeout' });
  expect(connectSeconds).toBe(5);
  await mute.destroy();
  silent.close();
});

/** The connector that we deploy but for its patience, led to a port that accepts connections and never says a word. */
function muted(port: number) {
  const connect = guardedConnector(() => true, { timeoutMs: (connectSeconds * 1_000) / speed });
  const led: typeof connect = (options, callback) =>
    connect({ ...options, hostname: '127.0.0.1', port: String(port) }, callback);
  return led;
}
