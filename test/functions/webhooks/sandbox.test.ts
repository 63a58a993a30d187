import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver } from '../../../infra/local/demo/receiver.ts';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../../infra/local/sandbox.ts';
import { logSink } from '../../../shared/log.ts';

/** The third attempt is due 0.1 s after the second, the fourth 0.6 s after the third. */
const speed = 3_000;

let sandbox: Sandbox;
const lines: string[] = [];
beforeAll(async () => {
  logSink.write = (line) => void lines.push(line);
  sandbox = await startSandbox({ port: 0, sweepSeconds: 0.1, environment: { WEBHOOK_SPEED: String(speed) } });
  await seedLocalKey(sandbox.table);
});
afterAll(() => sandbox.stop());

async function call(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' };
  const response = await fetch(sandbox.url + path, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read any response
  return (await response.json()) as any;
}

async function register(receiver: Receiver): Promise<string> {
  const { id } = await call('POST', '/webhooks', { url: receiver.url });
  receiver.setSecret((await call('GET', `/webhooks/${id}/secret`)).secret);
  return id;
}

describe('in the local sandbox', () => {
  it('a receiver that fails three times gets its event by a retry, and `deliveries` shows the attempts', async () => {
    const receiver = await startReceiver({ failFirst: 3 });
    const id = await register(receiver);
    const { event_id: eventId } = await call('POST', `/webhooks/${id}/test`, { type: 'payment.succeeded' });
    const delivery = await receiver.waitFor('payment.succeeded', 55_000);
    expect(delivery).toMatchObject({ id: eventId, verified: true });
    await vi.waitFor(async () => {
      const { items } = await call('GET', `/webhooks/${id}/deliveries`);
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({ event_id: eventId, webhook_id: id, status: 'delivered', next_attempt_at: null });
      expect(items[0].attempts.map((attempt: { http_status: number }) => attempt.http_status)).toEqual([
        500, 500, 500, 200,
      ]);
    });
    const times = receiver.deliveries.map(({ receivedAt }) => receivedAt.getTime());
    const delays = times.slice(1).map((time, index) => (time - (times[index] as number)) / 1_000);
    console.log(
      `sandbox: attempts after ${delays.map((delay) => delay.toFixed(1)).join(', ')} s, ${speed} times faster than deployed`,
    );
    for (const [index, seconds] of [5, 300, 1_800].entries()) {
      expect(delays[index]).toBeGreaterThan((seconds * 0.8) / speed - 0.01);
    }
    expect(lines.join()).not.toContain('whsec_');
    await receiver.stop();
  }, 60_000);
});
