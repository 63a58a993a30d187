import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { guardedConnector } from '../../../shared/webhooks/guarded-agent.ts';
import { receiver, sendWebhookTo, stopReceivers } from '../../webhooks/receiver.ts';

afterEach(stopReceivers);

it('D12 is cut off after 15 seconds, and a connection that does not come about after five', async () => {
  const slow = await receiver(() => {});
  const dripping = await receiver(async (response) => {
    response.writeHead(200);
    while (!response.destroyed) {
      response.write('.');
      await pause(200);
    }
  });
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const mute = new Agent({ connect: muted((silent.address() as AddressInfo).port) });
  const [cut, dripped, unconnected] = await Promise.all([
    sendWebhookTo(slow.url),
    sendWebhookTo(dripping.url),
    sendWebhookTo('https://8.8.8.8/', {}, { dispatcher: mute }),
  ]);
  console.log(
    `D12: no answer cut at ${cut.latencyMs} ms, dripping answer at ${dripped.latencyMs} ms, no handshake at ${unconnected.latencyMs} ms`,
  );
  expect(cut).toMatchObject({ status: null, error: 'timeout' });
  expect(dripped).toMatchObject({ status: 200, error: null });
  expect(unconnected).toMatchObject({ status: null, error: 'timeout' });
  for (const { latencyMs } of [cut, dripped]) expect(latencyMs).toBeGreaterThanOrEqual(14_990);
  expect(unconnected.latencyMs).toBeLessThan(cut.latencyMs);
}, 20_000);

/** The connector that we deploy, led to a port that accepts connections and never says a word. */
function muted(port: number) {
  const connect = guardedConnector(() => true);
  const led: typeof connect = (options, callback) =>
    connect({ ...options, hostname: '127.0.0.1', port: String(port) }, callback);
  return led;
}
