import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardedConnector } from '../../../shared/outside/webhooks/guarded-agent.ts';
import { webhookSender } from '../../../shared/outside/webhooks/send-webhook.ts';
import { type Certified, certificates } from './certificates.ts';

const known = getCACertificates();
beforeAll(() => setDefaultCACertificates([...known, certificates.authority]));
afterAll(() => setDefaultCACertificates(known));

const here = ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as typeof lookup;

/** The connector that we deploy, led to a server of the test: every address is allowed, and port 443 is its port. */
function agentTo(server: Server): Agent {
  const connect = guardedConnector(() => true, { lookUp: here });
  const { port } = server.address() as AddressInfo;
  return new Agent({
    connect: (options, callback) => connect({ ...options, port: String(port) }, callback),
    pipelining: 0,
  });
}

async function sendTo({ cert, key }: Certified) {
  let requests = 0;
  const server = createServer({ cert, key }, (request, response) => {
    requests += 1;
    request.resume().on('end', () => response.end('thanks'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const send = webhookSender({ allowsLoopback: false, ownHost: 'pay.example.com' }, { dispatcher: agentTo(server) });
  const webhook = {
    id: 'evt_1',
    endpointId: 'whk_1',
    paymentId: null,
    at: new Date(),
    body: Buffer.from('{}'),
    secrets: ['whsec_AAAA'],
    headers: {},
  };
  const outcome = await send({ url: 'https://hook.example.com/', ...webhook });
  server.close();
  return { outcome, requests };
}

describe('a webhook receiver', () => {
  it('with a valid certificate gets the webhook', async () => {
    expect(await sendTo(certificates.good)).toMatchObject({
      outcome: { status: 200, error: null, answer: 'thanks' },
      requests: 1,
    });
  });

  it.each(['selfSigned', 'expired', 'otherHost'] as const)('whose certificate is %s gets nothing', async (kind) => {
    expect(await sendTo(certificates[kind])).toMatchObject({ outcome: { status: null, error: 'tls' }, requests: 0 });
  });
});
