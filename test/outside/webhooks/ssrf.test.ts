import type { lookup } from 'node:dns';
import { createServer, type Server } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { guardedAgent, guardedConnector, guardedLookup } from '../../../shared/outside/webhooks/guarded-agent.ts';
import { webhookSender } from '../../../shared/outside/webhooks/send-webhook.ts';
import { times } from '../../support/seeded.ts';
import { badAddresses, loopbackSpellings } from './hostile-addresses.ts';

const servers: Server[] = [];
let port = 0;
let connections = 0;

const listen = (address: string, wanted: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      connections += 1;
      socket.once('error', () => {});
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok');
    });
    servers.push(server);
    server.once('error', reject);
    server.listen(wanted, address, () => resolve((server.address() as { port: number }).port));
  });

beforeAll(async () => {
  port = await listen('127.0.0.1', 0);
  await listen('::1', port).catch(() => {});
});
afterAll(() => servers.forEach((server) => void server.close()));
beforeEach(() => {
  connections = 0;
});

interface Address {
  address: string;
  family: number;
}

/** A resolver that gives these answers, one after the other. */
function resolver(...answers: Address[][]) {
  let calls = 0;
  const lookUp = ((_: string, __: object, callback: (error: null, found: Address[]) => void) => {
    calls += 1;
    callback(null, answers[Math.min(calls, answers.length) - 1] as Address[]);
  }) as unknown as typeof lookup;
  return { lookUp, calls: () => calls };
}

const v4 = (address: string): Address => ({ address, family: 4 });
const v6 = (address: string): Address => ({ address, family: 6 });

const codeOf = async (url: string, dispatcher: Dispatcher): Promise<string> => {
  try {
    const { statusCode, body } = await request(url, { dispatcher });
    await body.dump();
    return String(statusCode);
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};

describe('the address check at the connection', () => {
  it('is necessary: without it, a request reaches the local listener', async () => {
    expect(await codeOf(`http://127.0.0.1:${port}/`, new Agent())).toBe('200');
    expect(connections).toBe(1);
  });

  it('blocks every spelling of this machine, by http and https, before a connection is made', async () => {
    const agent = guardedAgent({ allowsLoopback: false });
    const outcomes: string[] = [];
    for (const host of loopbackSpellings)
      for (const protocol of ['http', 'https']) outcomes.push(await codeOf(`${protocol}://${host}:${port}/`, agent));
    console.log(`D15: ${loopbackSpellings.length} spellings × 2 protocols, ${connections} connections`);
    expect(new Set(outcomes)).toEqual(new Set(['BLOCKED_ADDRESS']));
    expect(connections).toBe(0);
  });

  it('blocks every special address, literal or resolved', async () => {
    for (const { address } of badAddresses) {
      const { lookUp } = resolver([address.includes(':') ? v6(address) : v4(address)]);
      const agent = guardedAgent({ allowsLoopback: false, lookUp });
      expect(await codeOf(`https://hook.example.com:${port}/`, agent)).toBe('BLOCKED_ADDRESS');
      const literal = address.includes(':') ? `[${address.replace(/%.*/, '')}]` : address;
      expect(await codeOf(`https://${literal}:${port}/`, agent)).toBe('BLOCKED_ADDRESS');
    }
    expect(connections).toBe(0);
  });

  it('blocks a host name that was public and now points to this machine (DNS rebinding)', async () => {
    const { lookUp, calls } = resolver([v4('127.0.0.1')]);
    const policy = { allowsLoopback: false, ownHost: 'pay.example.com' };
    const send = webhookSender(policy, { dispatcher: guardedAgent({ ...policy, lookUp }) });
    const webhook = {
      id: 'evt_1',
      endpointId: 'whk_1',
      paymentId: null,
      at: new Date(),
      body: Buffer.from('{}'),
      secrets: ['whsec_AAAA'],
      headers: {},
    };
    expect(await send({ url: 'https://hook.example.com/', ...webhook })).toMatchObject({
      status: null,
      error: 'blocked',
    });
    expect(calls()).toBe(1);
    expect(connections).toBe(0);
  });

  it.each([
    { mix: 'public, then private', records: [v4('8.8.8.8'), v4('127.0.0.1')] },
    { mix: 'private, then public', records: [v4('127.0.0.1'), v4('8.8.8.8')] },
    { mix: 'public IPv6, private IPv4', records: [v6('2606:4700::1111'), v4('127.0.0.1')] },
    { mix: 'public IPv4, private IPv6', records: [v4('8.8.8.8'), v6('::1')] },
    { mix: 'a mapped one', records: [v4('8.8.8.8'), v6('::ffff:127.0.0.1')] },
    { mix: 'none at all', records: [] },
  ])('blocks a host name with public and private addresses, in any order: $mix', async ({ records }) => {
    const { lookUp } = resolver(records);
    const agent = guardedAgent({ allowsLoopback: false, lookUp });
    expect(await codeOf(`https://hook.example.com:${port}/`, agent)).toBe('BLOCKED_ADDRESS');
    expect(connections).toBe(0);
  });

  it('connects to the address that it checked, with no second resolution', async () => {
    const { lookUp, calls } = resolver([v4('127.0.0.1')], [v4('192.0.2.1')]);
    const seen: string[] = [];
    const agent = new Agent({
      connect: guardedConnector(
        (address) => {
          seen.push(address);
          return true;
        },
        { lookUp },
      ),
    });
    expect(await codeOf(`http://hook.example.com:${port}/`, agent)).toBe('200');
    expect(seen).toEqual(['127.0.0.1']);
    expect(calls()).toBe(1);
    expect(connections).toBe(1);
  });

  it('makes one DNS query for all waiting requests to a name, so a slow name uses one resolver slot', async () => {
    const waiting: { name: string; answer: (found: Address[]) => void }[] = [];
    const lookUp = ((name: string, _: object, callback: (error: null, found: Address[]) => void) =>
      void waiting.push({ name, answer: (found) => callback(null, found) })) as unknown as typeof lookup;
    const look = guardedLookup((address) => address === '8.8.8.8', lookUp);
    const ask = (name: string) =>
      new Promise((resolve) => look(name, { all: true }, (error, found) => resolve(error?.code ?? found)));
    const answer = (found: Address[]) => waiting.splice(0).map(({ name, answer: tell }) => [tell(found), name][1]);
    const [slow, other] = [Promise.all(times(10).map(() => ask('slow.example'))), ask('other.example')];
    expect(answer([v4('8.8.8.8')])).toEqual(['slow.example', 'other.example']);
    expect(await slow).toEqual(times(10).map(() => [v4('8.8.8.8')]));
    expect(await other).toEqual([v4('8.8.8.8')]);
    const later = [ask('slow.example'), ask('slow.example')]; // it leads elsewhere now, and nothing remembers where it led
    expect(answer([v4('127.0.0.1')])).toEqual(['slow.example']);
    expect(await Promise.all(later)).toEqual(['BLOCKED_ADDRESS', 'BLOCKED_ADDRESS']);
  });

  it('returns one address or all addresses, as the caller requests', async () => {
    const { lookUp } = resolver([v4('8.8.8.8'), v6('2606:4700::1111')]);
    const look = guardedLookup(() => true, lookUp);
    const ask = (all: boolean) => new Promise((resolve) => look('a.example', { all }, (_, found) => resolve(found)));
    expect(await ask(true)).toEqual([v4('8.8.8.8'), v6('2606:4700::1111')]);
    expect(await ask(false)).toBe('8.8.8.8');
  });

  it('allows http to this machine if the setting allows it, and never to other hosts', async () => {
    const agent = guardedAgent({ allowsLoopback: true });
    expect(await codeOf(`http://127.0.0.1:${port}/`, agent)).toBe('200');
    expect(await codeOf(`http://localhost:${port}/`, agent)).toBe('200');
    expect(await codeOf(`http://10.0.0.1:${port}/`, agent)).toBe('BLOCKED_ADDRESS');
    expect(await codeOf(`https://127.0.0.1:${port}/`, agent)).toBe('BLOCKED_ADDRESS');
  });
});
