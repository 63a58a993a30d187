import type { IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { listenOnLoopback, readBody } from '../../local-aws/loopback-server.ts';
import { DeliveryLog, type ReceivedWebhook } from './delivery-log.ts';

export interface ReceiverOptions {
  onDelivery?: (delivery: ReceivedWebhook) => void;
  /** How many requests get a 500 at first, like from a merchant's server that is broken. */
  failFirst?: number;
}

export interface Receiver extends Pick<DeliveryLog, 'deliveries' | 'waitFor'> {
  url: string;
  setSecret(secret: string): void;
  stop(): Promise<void>;
}

const maxBodyBytes = 1024 * 1024;

function typeOf(body: string): string {
  try {
    return String(JSON.parse(body).type);
  } catch {
    return 'not JSON';
  }
}

const headerOf = (message: IncomingMessage, name: string): string | undefined => message.headersDistinct[name]?.[0];

function whyNot({ headers }: IncomingMessage, body: string, secret: string | undefined): string | undefined {
  if (secret === undefined) return 'the secret is not known yet';
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function examine(message: IncomingMessage, secret: string | undefined, fails: boolean): Promise<ReceivedWebhook> {
  const body = (await readBody(message, maxBodyBytes))?.toString() ?? '';
  const reason = whyNot(message, body, secret);
  const verified = reason === undefined;
  const status = fails ? 500 : verified ? 200 : 401;
  const id = headerOf(message, 'webhook-id') ?? 'no id';
  return { id, type: typeOf(body), verified, reason, status, receivedAt: new Date(), headers: message.headers, body };
}

/** Starts a merchant's webhook endpoint on this machine. It verifies, answers and remembers deliveries. */
export async function startReceiver({ onDelivery, failFirst = 0 }: ReceiverOptions = {}): Promise<Receiver> {
  const log = new DeliveryLog();
  let secret: string | undefined;
  let failuresLeft = failFirst;
  const server = await listenOnLoopback((message, response) => {
    failuresLeft -= 1;
    examine(message, secret, failuresLeft >= 0)
      .then((delivery) => {
        response.writeHead(delivery.status).end();
        log.add(delivery);
        onDelivery?.(delivery);
      })
      .catch(() => response.destroy());
  });
  return {
    url: `http://127.0.0.1:${server.port}/webhooks`,
    deliveries: log.deliveries,
    waitFor: (wanted, timeoutMs) => log.waitFor(wanted, timeoutMs),
    setSecret: (known) => {
      secret = known;
    },
    stop: () => server.close(),
  };
}
