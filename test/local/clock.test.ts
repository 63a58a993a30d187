import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../infra/local/sandbox.ts';
import { world } from '../../shared/wiring/runtime.ts';
import { collectLog } from './log.ts';

collectLog();
let sandbox: Sandbox | undefined;
const stop = async (): Promise<void> => {
  await sandbox?.stop();
  sandbox = undefined;
};
afterEach(stop);

async function begin(options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ port: 0, sweepSeconds: 3_600, ...options });
  await seedLocalKey(sandbox.table);
}

async function call(method: string, path: string, body?: object, key: string | null = localKey) {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${sandbox?.url}${path}`, sent);
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const inDays = (days: number): string => new Date(world.now().getTime() + days * 86_400_000).toISOString();
const move = (to: string) => call('POST', '/local/clock', { to });
const aheadSeconds = async () => (await call('GET', '/local/clock')).body['ahead_seconds'];
const isReal = (date: Date): boolean => Math.abs(date.getTime() - Date.now()) < 60_000;

describe('the clock of a sandbox on this machine', () => {
  it('goes forward, and what is due by then has happened when it answers', async () => {
    await begin();
    const price = { type: 'one_time_price', currency: 'EUR', price: 2_400, tax_inclusive: true };
    const product = { name: 'Atlas', description: 'All stars.', tax_category: 'e_book', price };
    const { product_id } = (await call('POST', '/products', product)).body;
    const open = async () => {
      const { body } = await call('POST', '/checkouts', { product_cart: [{ product_id, quantity: 1 }] });
      return body['session_id'] ?? '';
    };
    const buyer = { customer: { email: 'a@example.com', name: 'A' }, billing_address: { country: 'DE' } };
    const pay = (id: string, card: string) => call('POST', `/checkout/${id}/pay`, { ...buyer, test_card: card }, null);
    const [late, slow] = [await open(), await open()];
    expect((await pay(slow, '3220')).body['status']).toBe('processing');
    const { status, body } = await move(inDays(2));
    expect([status, body['ahead_seconds']]).toEqual([200, 2 * 86_400]);
    expect((await call('GET', `/checkouts/${late}`)).body['status']).toBe('expired');
    expect((await call('GET', `/checkouts/${slow}`)).body['payment_status']).toBe('succeeded');
    expect((await pay(late, '4242')).status).toBe(410);
  });

  it('refuses to go back, or further than fifty years', async () => {
    await begin();
    await move(inDays(10));
    for (const to of [inDays(-1), inDays(60 * 366)]) {
      const { status, body } = await move(to);
      expect([to, status, body['code']]).toEqual([to, 409, 'CONFLICT']);
    }
    expect(await aheadSeconds()).toBe(10 * 86_400);
  });

  it('needs a key that writes, and a time', async () => {
    await begin();
    expect((await call('POST', '/local/clock', { to: inDays(1) }, null)).status).toBe(401);
    expect((await call('GET', '/local/clock', undefined, null)).status).toBe(401);
    expect((await call('POST', '/local/clock', { to: 'tomorrow' })).status).toBe(422);
  });

  it('is kept with the data, and real again without it', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'tillstack-clock-'));
    await begin({ dataDirectory });
    await move(inDays(3));
    await stop();
    expect(isReal(world.now())).toBe(true);
    await begin({ dataDirectory });
    expect(await aheadSeconds()).toBe(3 * 86_400);
    await stop();
    await begin();
    expect(await aheadSeconds()).toBe(0);
  });

  it('leaves the time in the signatures of webhooks real', async () => {
    await begin();
    await move(inDays(5));
    expect([isReal(world.now()), isReal(world.sentAt(world.now()))]).toEqual([false, true]);
  });
});
