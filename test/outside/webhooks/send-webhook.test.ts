import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { signatureHeader } from '../../../shared/outside/webhooks/signature.ts';
import { receiver, sendWebhookTo, stopReceivers } from './receiver.ts';

afterEach(stopReceivers);

describe('a webhook', () => {
  it('arrives with exactly the signed bytes, for any content', async () => {
    const { url, received } = await receiver((response) => response.end());
    const body = Buffer.from(`{"name":"Zoë 🦉\u2028\u2029 \\u0000 ${'ß'.repeat(9_000)}"}`);
    const at = new Date('2026-03-01T12:00:00.999Z');
    await sendWebhookTo(url, { body, at });
    const [{ body: bytes, headers } = { body: Buffer.alloc(0), headers: {} }] = received;
    expect(bytes.equals(body)).toBe(true);
    expect(bytes.byteLength).toBeLessThan(20_000);
    expect(headers['webhook-id']).toBe('evt_1');
    expect(headers['webhook-timestamp']).toBe('1772366400');
    const signed = { id: 'evt_1', timestampSeconds: 1_772_366_400, body: bytes };
    expect(headers['webhook-signature']).toBe(signatureHeader(signed, ['whsec_AAAA']));
    expect(headers['content-type']).toBe('application/json');
  });

  it('carries the merchant’s headers, but they cannot replace ours', async () => {
    const { url, received } = await receiver((response) => response.end());
    await sendWebhookTo(url, { headers: { Authorization: 'Bearer x', 'x-shop': '1', 'webhook-id': 'evt_other' } });
    expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer x', 'x-shop': '1', 'webhook-id': 'evt_1' });
  });

  it.each([200, 201, 202, 204, 299])('counts as delivered after the status %i', async (status) => {
    const { url } = await receiver((response) => response.writeHead(status).end());
    expect(await sendWebhookTo(url)).toMatchObject({ status, error: null });
  });

  it.each([301, 400, 401, 404, 410, 429, 500, 503])('counts as failed after the status %i', async (status) => {
    const { url } = await receiver((response) => response.writeHead(status, { 'retry-after': '7' }).end('no'));
    expect(await sendWebhookTo(url)).toMatchObject({ status, error: 'status', answer: 'no', retryAfter: '7' });
  });

  it('does not follow a redirect to the metadata service, and fails after one request', async () => {
    const { url, received } = await receiver((response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    );
    expect(await sendWebhookTo(url)).toMatchObject({ status: 302, error: 'status' });
    expect(received).toHaveLength(1);
  });

  it('reads at most 64 kB of an endless answer, stores 1 kB of it, and needs less than 5 MB of memory', async () => {
    let written = 0;
    const { url } = await receiver(async (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16_384, 'x');
      const closed = once(response, 'close');
      while (!response.destroyed && written < 1_000_000_000) {
        written += chunk.length;
        if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed]);
      }
    });
    const before = process.memoryUsage();
    const outcome = await sendWebhookTo(url);
    const after = process.memoryUsage();
    const grown = (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1_048_576;
    console.log(`D13: cut after ${written} bytes were written, ${grown.toFixed(1)} MB more memory`);
    expect(outcome).toMatchObject({ status: 200, error: null });
    expect(outcome.answer).toHaveLength(1_024);
    expect(grown).toBeLessThan(5);
  });

  it('stores the receiver’s answer as text without control characters', async () => {
    const { url } = await receiver((response) => response.writeHead(500).end('a\u0000b\u001b[31m<script>\n'));
    expect((await sendWebhookTo(url)).answer).toBe('a\uFFFDb\uFFFD[31m<script>\n');
  });

  it('reports a refused connection and an unknown host name as different errors', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    expect(await sendWebhookTo(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: 'connection' });
    expect(await sendWebhookTo('https://does-not-exist.invalid/')).toMatchObject({ status: null, error: 'dns' });
  });
});
