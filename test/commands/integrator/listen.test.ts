import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startReceiver } from '../../../infra/local/demo/receiver.ts';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../../infra/local/sandbox.ts';
import { loadMerchantConfig } from '../../../infra/merchant-config.ts';
import { addKey } from '../../support/shop/api.ts';
import { type Run, runWords, temporaryFolder } from './command-line.ts';

let sandbox: Sandbox;
let environment: { url: string; key: string; profilesFile: string };
const folder = temporaryFolder();
beforeAll(async () => {
  const merchant = { ...loadMerchantConfig('demo').merchant, expiredCheckoutEvents: true };
  sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 0.25, merchant });
  await seedLocalKey(sandbox.table);
  environment = { url: sandbox.url, key: localKey, profilesFile: folder.profilesFile };
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
});

type Options = Parameters<typeof runWords>[1];

async function run(args: string[], options: Options = {}): Promise<Run> {
  const found = await runWords(args, { environment, ...options });
  const secrets = [localKey, options.secret ?? ''].filter((secret) => secret.startsWith('sk_'));
  for (const secret of secrets) expect(found.out + found.error).not.toContain(secret);
  return found;
}

/** Asks the API itself. */
async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' };
  const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  return (await (await fetch(sandbox.url + path, { headers, ...sent })).json()) as Answer;
}

/** What a command prints for a script. */
async function json(args: string[]) {
  const { code, out, error } = await run([...args, '--json']);
  expect(error).toBe('');
  expect(code).toBe(0);
  return JSON.parse(out);
}

/** Passes requests to the sandbox, and loses some of the answers. */
async function losingProxy(isLost: (request: { method: string; url: string }) => boolean) {
  const server: Server = createServer((message, response) => {
    const { method = '', url = '', headers } = message;
    const chunks: Buffer[] = [];
    message.on('data', (chunk) => chunks.push(chunk));
    message.on('end', async () => {
      const { host: _, connection: __, ...others } = headers;
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      const answer = await fetch(sandbox.url + url, { method, headers: others as Record<string, string>, ...body });
      const text = await answer.text();
      if (isLost({ method, url })) return message.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, stop: async () => void (await once(server.close(), 'close')) };
}

describe('the listen command', () => {
  /** Runs it until a test has seen enough. */
  function listen(words: string[] = [], options: Options = {}) {
    const ending = new AbortController();
    const said = { out: '', error: '' };
    const ended = run(['listen', '--interval', '0.1', ...words], {
      signal: ending.signal,
      onOut: (text) => {
        said.out += text;
      },
      onError: (text) => {
        said.error += text;
      },
      ...options,
    });
    const until = (pattern: RegExp | string, of: 'out' | 'error' = 'out') =>
      vi.waitFor(() => expect(said[of]).toMatch(pattern), { timeout: 20_000, interval: 20 });
    const stop = async () => {
      ending.abort();
      return ended;
    };
    return { said, until, stop };
  }

  it('forwards each new event once, with the same bytes as a webhook, signed with the printed secret', async () => {
    await json(['trigger', 'payment.failed']);
    const [receiver, endpoint] = [await startReceiver(), await startReceiver()];
    await ask('/webhooks', { url: endpoint.url });
    const listening = listen(['--forward-to', receiver.url]);
    await listening.until(/whsec_/);
    receiver.setSecret(/whsec_\S+/.exec(listening.said.out)?.[0] ?? '');
    const { payment_id: payment } = await json(['trigger', 'refund.succeeded']);
    await listening.until(/refund\.succeeded .*→ 200/);
    const { code, out } = await listening.stop();
    expect([code, out]).toEqual([0, expect.stringMatching(/Stopped\. \d+ delivered, 0 not delivered\./)]);
    const ids = receiver.deliveries.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    // a payment of another test may end meanwhile
    const own = receiver.deliveries.filter(({ body }) => body.includes(payment));
    expect(own.map(({ type, verified }) => [type, verified])).toEqual([
      ['payment.succeeded', true],
      ['refund.succeeded', true],
    ]);
    await endpoint.waitFor(({ type, body }) => type === 'refund.succeeded' && body.includes(payment), 10_000);
    const bodies = (deliveries: readonly { id: string; body: string }[]) =>
      Object.fromEntries(deliveries.map(({ id, body }) => [id, body]));
    expect(bodies(endpoint.deliveries)).toMatchObject(bodies(own));
    await Promise.all([receiver.stop(), endpoint.stop()]);
  });

  it('forwards only the events named by --events, and also past events with --since', async () => {
    const { payment_id: payment } = await json(['trigger', 'payment.failed']);
    const listening = listen(['--since', '1h', '--events', 'payment.failed', '--json']);
    await listening.until(payment);
    const { code } = await listening.stop();
    const types = listening.said.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect([code, new Set(types.slice(1))]).toEqual([0, new Set(['payment.failed'])]);
  });

  it('gets an event once more that "events resend" sends again, unless that names one endpoint', async () => {
    const receiver = await startReceiver();
    const listening = listen(['--forward-to', receiver.url]);
    const elsewhere = listen([], { environment: { ...environment, url: `${sandbox.url}/` } });
    await listening.until(/whsec_/);
    await elsewhere.until(/Reads all events/);
    receiver.setSecret(/whsec_\S+/.exec(listening.said.out)?.[0] ?? '');
    const { event_id: event } = await json(['trigger', 'payment.failed']);
    await listening.until(new RegExp(`${event}.*→ 200`));
    const { out } = await run(['events', 'resend', event]);
    expect(out).toContain('2 runs of "listen" on this machine get it too');
    await listening.until(new RegExp(`${event}.*→ 200[^]*${event}.*→ 200`));
    expect(receiver.deliveries.filter(({ id }) => id === event).map(({ verified }) => verified)).toEqual([true, true]);
    const { id: endpoint } = await ask<{ id: string }>('/webhooks', { url: receiver.url });
    expect((await run(['events', 'resend', event, '--webhook-id', endpoint])).out).not.toContain('listen');
    await Promise.all([listening.stop(), elsewhere.stop()]);
    expect((await run(['events', 'resend', event])).out).not.toContain('listen');
    await receiver.stop();
  });

  it('sends a type that only this service has on only if --events names it', async () => {
    const receiver = await startReceiver();
    const unnamed = listen(['--forward-to', receiver.url]);
    const named = listen(['--forward-to', receiver.url, '--events', 'checkout_session.expired']);
    for (const one of [unnamed, named]) await one.until(/whsec_/);
    receiver.setSecret(/whsec_\S+/.exec(named.said.out)?.[0] ?? '');
    const price = ['--price', '5.00', '--currency', 'EUR'];
    const { product_id } = await json(['products', 'create', 'Expiring', ...price, '--tax-category', 'e_book']);
    const cart = { product_cart: [{ product_id, quantity: 1 }], customer: { email: 'ada@example.com' } };
    const { session_id: session } = await ask<{ session_id: string }>('/checkouts', cart);
    await ask(`/checkouts/${session}/expire`, {});
    await unnamed.until(/checkout_session\.expired .*not sent on.*--events/);
    await named.until(/checkout_session\.expired .*→ 200/);
    await Promise.all([unnamed.stop(), named.stop()]);
    expect(receiver.deliveries.map(({ type }) => type)).toEqual(['checkout_session.expired']);
    await receiver.stop();
  });

  it('says that the local address does not answer, and continues', async () => {
    const listening = listen(['--forward-to', 'http://127.0.0.1:9/webhooks']);
    await listening.until(/whsec_/);
    await json(['trigger', 'payment.failed']);
    await listening.until(/payment\.failed .*not delivered: .*Is your server running at http:\/\/127\.0\.0\.1:9/);
    expect((await listening.stop()).out).toMatch(/Stopped\. 0 delivered, \d+ not delivered/);
  });

  it('continues after the stack was unreachable for a while, and misses no event', async () => {
    let isAway = false;
    const proxy = await losingProxy(() => isAway);
    const listening = listen([], { environment: { ...environment, url: proxy.url } });
    await listening.until('Ctrl-C');
    isAway = true;
    await listening.until(/does not answer[\s\S]*Trying again/, 'error');
    const { event_id: event } = await json(['trigger', 'payment.failed']);
    isAway = false;
    await listening.until(event);
    expect(listening.said.error).toContain('Connected again.');
    expect((await listening.stop()).code).toBe(0);
    await proxy.stop();
  });

  it('ends with exit code 3 when its key is revoked', async () => {
    const key = await addKey({ access: 'read' });
    const listening = listen([], { environment: { ...environment, key } });
    await listening.until('Ctrl-C');
    const { items } = await ask<{ items: { id: string; last_four: string }[] }>('/api-keys');
    const { id = '' } = items.find(({ last_four: lastFour }) => lastFour === key.slice(-4)) ?? {};
    await run(['keys', 'revoke', id, '--yes']);
    await listening.until(/What to do: Check the key/, 'error');
    expect((await listening.stop()).code).toBe(3);
  });

  it.each([
    ['--events', 'payment.exploded', 'There is no event'],
    ['--forward-to', 'http://shop.example/webhooks', 'must be an address of this machine'],
    ['--interval', '0', '--interval must be'],
  ])('refuses the option %s %s', async (option, value, message) => {
    const { code, error } = await run(['listen', option, value]);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('the command as a process', () => {
  it('reads its environment, forwards events, and ends with exit code 0 at Ctrl-C, even when it is pressed twice', async () => {
    const receiver = await startReceiver();
    const args = [
      'infra/commands/integrator/tillstack.ts',
      'listen',
      '--interval',
      '0.1',
      '--forward-to',
      receiver.url,
    ];
    const env = { ...process.env, TILLSTACK_URL: sandbox.url, TILLSTACK_KEY: localKey };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const ended = once(child, 'close');
    await vi.waitFor(() => expect(output).toContain('whsec_'), 20_000);
    receiver.setSecret(/whsec_\S+/.exec(output)?.[0] ?? '');
    await json(['trigger', 'payment.succeeded']);
    await receiver.waitFor('payment.succeeded', 20_000);
    child.kill('SIGINT');
    const again = setInterval(() => child.kill('SIGINT'), 1);
    const [code, signal] = await ended;
    clearInterval(again);
    expect([code, signal, output]).toEqual([
      0,
      null,
      expect.stringMatching(/Stopped\. \d+ delivered, 0 not delivered/),
    ]);
    expect(output).not.toContain(localKey);
    await receiver.stop();
  });
});
