import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookRequest } from '../../../shared/domain/webhooks/webhook-request.ts';
import { type SendOptions, webhookSender } from '../../../shared/outside/webhooks/send-webhook.ts';

const stops: (() => void)[] = [];

/** Ends what the test has started. */
export const stopReceivers = (): void => stops.splice(0).forEach((stop) => void stop());

export interface Received {
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** A merchant's server on this machine. */
export async function receiver(answer: (response: ServerResponse, request: IncomingMessage) => unknown) {
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

/** Sends as we deploy it, with http to this machine allowed. */
export const sendWebhookTo = (url: string, fields: Partial<WebhookRequest> = {}, options: SendOptions = {}) =>
  webhookSender(
    policy,
    options,
  )({
    url,
    id: 'evt_1',
    endpointId: 'whk_1',
    paymentId: null,
    at: new Date(),
    body: Buffer.from('{}'),
    secrets: ['whsec_AAAA'],
    headers: {},
    ...fields,
  });
