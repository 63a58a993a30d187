import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { guardedConnector } from '../../shared/webhooks/guarded-agent.ts';
import { signatureHeader } from '../../shared/webhooks/signature.ts';
import { type SendOptions, type WebhookRequest, webhookSender } from '../../shared/webhooks/send-webhook.ts';

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => void stop()));

interface Received {
  headers: IncomingMessage['headers'];
  body: Buffer;
}

async function receiver(answer: (response: ServerResponse, request: IncomingMessage) => unknown) {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    await answer(response, request);
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

const policy = { allowsLoopback: true, ownHost: 'pay.example.com' };

const send = (url: string, fields: Partial<WebhookRequest> = {}, options: SendOptions = {}) =>
  webhookSender(policy, options)({
    url,
    id: 'evt_1',
    at: new Date(),
    body: Buffer.from('{}'),
    secrets: ['whsec_AAAA'],
    headers: {},
    ...fields,
  });

describe('a webhook', () => {
  it('D6 arrives as the bytes that were signed, whatever is in them', async () => {
    const { url, received } = await receiver((response) => response.end());
    const body = Buffer.from(`{"name":"Zoë 🦉\u2028\u2029 \\u0000 ${'ß'.repeat(9_000)}"}`);
    const at = new Date('2026-03-01T12:00:00.999Z');
    await send(url, { body, at });
    const [{ body: bytes, headers } = { body: Buffer.alloc(0), headers: {} }] = received;
    expect(bytes.equals(body)).toBe(true);
    expect(bytes.byteLength).toBeLessThan(20_000);
    expect(headers['webhook-id']).toBe('evt_1');
    expect(headers['webhook-timestamp']).toBe('1772366400');
    const signed = { id: 'evt_1', timestampSeconds: 1_772_366_400, body: bytes };
    expect(headers['webhook-signature']).toBe(signatureHeader(signed, ['whsec_AAAA']));
    expect(headers['content-type']).toBe('application/json');
  });

  it('carries the merchant’s headers, but not in place of ours', async () => {
    const { url, received } = await receiver((response) => response.end());
    await send(url, { headers: { Authorization: 'Bearer x', 'x-shop': '1', 'webhook-id': 'evt_other' } });
    expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer x', 'x-shop': '1', 'webhook-id': 'evt_1' });
  });

  it.each([200, 201, 202, 204, 299])('is taken by an answer of %i', async (status) => {
    const { url } = await receiver((response) => response.writeHead(status).end());
    expect(await send(url)).toMatchObject({ status, error: null });
  });

  it.each([301, 400, 401, 404, 410, 429, 500, 503])('is not taken by an answer of %i', async (status) => {
    const { url } = await receiver((response) => response.writeHead(status, { 'retry-after': '7' }).end('no'));
    expect(await send(url)).toMatchObject({ status, error: 'status', answer: 'no', retryAfter: '7' });
  });

  it('D8 does not follow a redirect to the metadata service: one request, failed', async () => {
    const { url, received } = await receiver((response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    );
    expect(await send(url)).toMatchObject({ status: 302, error: 'status' });
    expect(received).toHaveLength(1);
  });

  it('D13 reads no more than 64 kB of an endless answer, keeps one, and needs less than 5 MB', async () => {
    let written = 0;
    const { url } = await receiver(async (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16_384, 'x');
      while (!response.destroyed && written < 1_000_000_000) {
        written += chunk.length;
        if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    });
    const before = process.memoryUsage();
    const outcome = await send(url);
    const after = process.memoryUsage();
    const grown = (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1_048_576;
    console.log(`D13: cut after ${written} bytes were written, ${grown.toFixed(1)} MB more memory`);
    expect(outcome).toMatchObject({ status: 200, error: null });
    expect(outcome.answer).toHaveLength(1_024);
    expect(grown).toBeLessThan(5);
  });

  it('keeps an answer as text without control characters', async () => {
    const { url } = await receiver((response) => response.writeHead(500).end('a\u0000b\u001b[31m<script>\n'));
    expect((await send(url)).answer).toBe('a\uFFFDb\uFFFD[31m<script>\n');
  });

  it('D12 is cut off after 15 seconds, and a connection that does not come about after five', async () => {
    const slow = await receiver(() => {});
    const dripping = await receiver(async (response) => {
      response.writeHead(200);
      while (!response.destroyed) {
        response.write('.');
        await pause(200);
      }
    });
    const silent = createSocketServer(() => {}).listen(0, '127.0.0.1');
    stops.push(() => silent.close());
    await once(silent, 'listening');
    const mute = new Agent({ connect: muted((silent.address() as AddressInfo).port) });
    const [cut, dripped, unconnected] = await Promise.all([
      send(slow.url),
      send(dripping.url),
      send('https://8.8.8.8/', {}, { dispatcher: mute }),
    ]);
    console.log(`D12: no answer cut at ${cut.latencyMs} ms, dripping answer at ${dripped.latencyMs} ms, no handshake at ${unconnected.latencyMs} ms`);
    expect(cut).toMatchObject({ status: null, error: 'timeout' });
    expect(dripped).toMatchObject({ status: 200, error: null });
    expect(unconnected).toMatchObject({ status: null, error: 'timeout' });
    for (const { latencyMs } of [cut, dripped]) {
      expect(latencyMs).toBeGreaterThanOrEqual(14_990);
      expect(latencyMs).toBeLessThan(15_500);
    }
    expect(unconnected.latencyMs).toBeLessThan(7_000);
  }, 20_000);

  it('tells a refused connection from a name that does not exist', async () => {
    const closed = createSocketServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: 'connection' });
    expect(await send('https://does-not-exist.invalid/')).toMatchObject({ status: null, error: 'dns' });
  });
});

/** The connector that we deploy, led to a port that accepts connections and never says a word. */
function muted(port: number) {
  const connect = guardedConnector(() => true);
  const led: typeof connect = (options, callback) => connect({ ...options, hostname: '127.0.0.1', port: String(port) }, callback);
  return led;
}
