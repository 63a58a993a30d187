import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startLocalGateway } from '../../infra/local/local-gateway.ts';
import { oneClickPath } from '../../infra/local/one-click.ts';
import type { LoopbackServer } from '../../infra/local-aws/loopback-server.ts';
import { sendRaw } from './http.ts';

const key = 'sk_test_example';
let gateway: LoopbackServer;
let withoutKey: LoopbackServer;
let calls: { name: string; event: APIGatewayProxyEventV2 }[];

const invoke = async (name: string, event: unknown) => {
  calls.push({ name, event: event as APIGatewayProxyEventV2 });
  return { statusCode: 303, headers: { location: '/dashboard' } };
};

beforeAll(async () => {
  gateway = await startLocalGateway({ invoke, oneClickKey: key });
  withoutKey = await startLocalGateway({ invoke });
});
afterAll(() => Promise.all([gateway.close(), withoutKey.close()]));
beforeEach(() => {
  calls = [];
});

const click = (headers: Record<string, string>, { method = 'POST', at = gateway } = {}) =>
  sendRaw(`http://127.0.0.1:${at.port}`, {
    method,
    path: oneClickPath,
    headers: { connection: 'close', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    ...(method !== 'GET' && { body: 'next=%2Fdashboard%2Ftax' }),
  });

const from = (host: string) => ({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' });

describe('one-click sign-in on this machine', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])(
    'works from %s, with the product’s sign-in page',
    async (name) => {
      const host = `${name}:${gateway.port}`;
      expect((await click({ host, origin: `http://${host.toLowerCase()}` })).status).toBe(303);
      expect((await click(from(host.toLowerCase()))).status).toBe(303);
      expect((await click({ ...from(host.toLowerCase()), origin: 'null' })).status).toBe(303);
      const { name: called, event } = calls[0]!;
      expect([called, event.rawPath]).toEqual(['dashboard/sign-in', '/dashboard/sign-in']);
      const form = new URLSearchParams(Buffer.from(event.body ?? '', 'base64').toString());
      expect(Object.fromEntries(form)).toEqual({ key, next: '/dashboard/tax' });
    },
  );

  it('is refused for every other host name, port and origin', async () => {
    const own = `localhost:${gateway.port}`;
    const refused: Record<string, string>[] = [
      from(`attacker.example:${gateway.port}`),
      from(`localhost.attacker.example:${gateway.port}`),
      from(`localhost:${gateway.port + 1}`),
      from('localhost'),
      { host: own },
      { host: own, origin: 'null' },
      { host: own, origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' },
      { host: own, origin: `http://127.0.0.1:${gateway.port}` },
      { host: own, origin: `https://${own}` },
      { ...from(own), 'sec-fetch-site': 'cross-site' },
      { ...from(own), 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of refused) expect([headers, (await click(headers)).status]).toEqual([headers, 403]);
    for (const method of ['GET', 'PUT']) expect((await click(from(own), { method })).status).toBe(403);
    expect(calls).toEqual([]);
  });

  it('is not available without a local key', async () => {
    await click(from(`localhost:${withoutKey.port}`), { at: withoutKey });
    expect(calls.map(({ name }) => name)).toEqual(['routing/refuse-route']);
  });
});
