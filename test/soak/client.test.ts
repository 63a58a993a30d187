import type { IncomingMessage, ServerResponse } from 'node:http';
import DodoPayments from 'dodopayments';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { startLocalGateway } from '../../infra/local/local-gateway.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { type LoopbackServer, listenOnLoopback, readBody } from '../../infra/local-aws/loopback-server.ts';
import { campaign, inTurn, pickOne, seeded, tally, times } from '../support/seeded.ts';
import { type Api, startApi } from '../support/shop/api.ts';
import { addProduct, createSession, pay } from '../support/shop/shop.ts';
import { useShortPauses } from '../support/short-pauses.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

useShortPauses(); // those of the client between its tries

type Fate = 'request lost' | 'answer lost';

let api: Api;
let gateway: LoopbackServer;
let network: LoopbackServer;
/** What happens to the first tries of a request, by its body. */
const fates = new Map<string, Fate[]>();
const met: string[] = [];
beforeAll(async () => {
  api = await startApi();
  gateway = await startLocalGateway({ invoke: invokeFunction });
  network = await listenOnLoopback((message, response) => void pass(message, response));
});
afterAll(async () => {
  await network.close();
  await gateway.close();
  await api.stop();
});

/** A network that loses requests, or the answers to requests that were carried out. */
async function pass(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(message, 1_000_000);
  const { payment_id: paymentId } = JSON.parse(String(body));
  const fate = fates.get(paymentId)?.shift();
  if (fate) met.push(fate);
  if (fate === 'request lost') return void message.socket.destroy();
  const { host: _, connection: __, 'content-length': ___, ...headers } = message.headers as Record<string, string>;
  const answer = await fetch(`http://127.0.0.1:${gateway.port}${message.url}`, {
    method: message.method ?? 'POST',
    headers,
    body: new Uint8Array(body ?? []),
  });
  const text = await answer.text();
  if (fate === 'answer lost') return void message.socket.destroy();
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
}

async function sellMany(count: number): Promise<string[]> {
  const productId = await addProduct(api);
  return inTurn(times(count), 8, async () => {
    const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    return (await pay(sessionId, { expectedTotal: 1_999 })).id;
  });
}

const refundedOf = async (id: string): Promise<number> => {
  const { body } = await api.call(`GET /payments/${id}`);
  return body.total_amount - body.refundable_amount;
};

describe('the official client, when answers are lost,', () => {
  it.each([
    { manner: 'without a key, as it always is', keyOf: () => ({}) },
    { manner: 'with an Idempotency-Key', keyOf: (id: string) => ({ headers: { 'Idempotency-Key': id } }) },
  ])(
    'refunds once $manner (an 8 s spike charged 12 000 users twice: darshanturakhia.com)',
    async ({ manner, keyOf }) => {
      const count = campaign(200, 50);
      const random = seeded(10);
      const client = new DodoPayments({
        baseURL: `http://127.0.0.1:${network.port}`,
        bearerToken: localKey,
        maxRetries: 2,
      });
      const payments = await sellMany(count);
      met.length = 0;
      for (const id of payments) {
        const first: Fate = random() < 0.85 ? 'answer lost' : 'request lost';
        fates.set(id, random() < 0.5 ? [first] : [first, pickOne(random, ['answer lost', 'request lost'])]);
      }
      const refunds = await inTurn(payments, 50, (paymentId) => {
        const asked = { payment_id: paymentId, amount: 700 };
        return client.refunds.create(asked, keyOf(paymentId));
      });
      const amounts = tally(await inTurn(payments, 8, refundedOf));
      console.log(
        `A10 ${manner}: ${count} refunds, ${JSON.stringify(tally(met))}; refunded per payment ${JSON.stringify(amounts)}`,
      );
      expect(new Set(refunds.map(({ refund_id }) => refund_id)).size).toBe(count);
      expect(amounts).toEqual({ 700: count });
    },
  );
});
