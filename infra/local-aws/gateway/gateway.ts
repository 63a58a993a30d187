import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Invoke } from '../functions.ts';
import { reportFailure } from '../log.ts';
import { type LoopbackServer, listenOnLocalhost, readBody } from '../loopback-server.ts';
import { answerOf, type GatewayAnswer, gatewayMessage, writeAnswer } from './gateway-answer.ts';
import { type GatewayRequest, gatewayEventOf } from './gateway-event.ts';
import { type GatewayRoute, routesOf } from './routes.ts';

/** A request that a host can change before routing. */
interface Rewritable {
  message: IncomingMessage;
  body: Buffer;
  /** The path, percent-decoded. */
  path: string;
}

/** Returns the request to answer in place of the original one. Undefined refuses the request with 403. */
export type Rewrite = (request: Rewritable) => Rewritable | undefined;

interface GatewayOptions {
  invoke: Invoke;
  /** The port; 0 chooses a free one. */
  port?: number;
  routes: readonly GatewayRoute[];
  timeoutSeconds?: number;
  maxBodyBytes?: number;
  rewrite?: Rewrite;
}

type Settings = Required<GatewayOptions>;

const internalServerError = gatewayMessage(500, 'Internal Server Error');

/** Decodes a path, like an HTTP API does for `rawPath`. One that cannot be decoded goes to the function as it is. */
function decodePath(url: string): string {
  const [path = ''] = url.split('?');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The function's answer. If the function fails or takes too long, it is an error. */
async function call(settings: Settings, functionName: string, event: object): Promise<GatewayAnswer> {
  const { promise: late, resolve } = Promise.withResolvers<GatewayAnswer>();
  const timer = setTimeout(resolve, settings.timeoutSeconds * 1_000, gatewayMessage(503, 'Service Unavailable'));
  try {
    return await Promise.race([settings.invoke(functionName, event).then(answerOf), late]);
  } catch (error) {
    reportFailure('A function failed.', error, { functionName });
    return internalServerError;
  } finally {
    clearTimeout(timer);
  }
}

type FindRoute = ReturnType<typeof routesOf>;

async function answer(settings: Settings, findRoute: FindRoute, message: IncomingMessage): Promise<GatewayAnswer> {
  const receivedAt = new Date();
  const body = await readBody(message, settings.maxBodyBytes);
  if (!body) return gatewayMessage(413, 'Request Entity Too Large');
  const path = decodePath(message.url ?? '/');
  const request = settings.rewrite({ message, body, path });
  if (!request) return gatewayMessage(403, 'Forbidden');
  const match = findRoute(message.method ?? 'GET', request.path);
  if (!match) return gatewayMessage(404, 'Not Found');
  const received: GatewayRequest = { ...request, requestId: randomUUID(), receivedAt };
  return call(settings, match.function, gatewayEventOf(received, match));
}

/** Starts an HTTP API of API Gateway on this machine. */
export async function startGateway(options: GatewayOptions): Promise<LoopbackServer> {
  const settings: Settings = {
    port: 0,
    timeoutSeconds: 30,
    maxBodyBytes: 10 * 1024 * 1024,
    rewrite: (request) => request,
    ...options,
  };
  const findRoute = routesOf(settings.routes);
  const respond = (message: IncomingMessage, response: ServerResponse) => {
    answer(settings, findRoute, message)
      .then((result) => writeAnswer(response, result))
      .catch((error: unknown) => {
        if (message.errored) return;
        reportFailure('The gateway failed.', error);
        writeAnswer(response, internalServerError);
      });
  };
  return listenOnLocalhost(respond, settings.port);
}
