import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeError, logError } from '../../../../shared/log.ts';
import { endpoints as deployed, type Endpoint } from '../../../endpoints.ts';
import type { Invoke } from '../../invoke.ts';
import { type LoopbackServer, listenOnLocalhost, readBody } from '../../loopback-server.ts';
import { answerOf, type GatewayAnswer, gatewayMessage, writeAnswer } from './gateway-answer.ts';
import { gatewayEventOf } from './gateway-event.ts';
import { routesOf } from './routes.ts';

interface GatewayOptions {
  invoke: Invoke;
  /** 0 is any free one. */
  port?: number;
  endpoints?: readonly Endpoint[];
  timeoutSeconds?: number;
  maxBodyBytes?: number;
}

type Settings = Required<GatewayOptions>;

const internalServerError = gatewayMessage(500, 'Internal Server Error');

/** Decodes a path, as an HTTP API does for `rawPath`; undefined if it cannot be decoded. */
function decodePath(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?')[0] ?? '');
  } catch {
    return undefined;
  }
}

/** The function's answer, unless it fails or lets the buyer wait too long. */
async function call(settings: Settings, functionName: string, event: object): Promise<GatewayAnswer> {
  const { promise: late, resolve } = Promise.withResolvers<GatewayAnswer>();
  const timer = setTimeout(resolve, settings.timeoutSeconds * 1_000, gatewayMessage(503, 'Service Unavailable'));
  try {
    return await Promise.race([settings.invoke(functionName, event).then(answerOf), late]);
  } catch (error) {
    logError('A function failed.', { functionName, ...describeError(error) });
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
  if (path === undefined) return gatewayMessage(400, 'Bad Request');
  const match = findRoute(message.method ?? 'GET', path);
  if (!match) return gatewayMessage(404, 'Not Found');
  return call(
    settings,
    match.function,
    gatewayEventOf({ message, body, path, requestId: randomUUID(), receivedAt }, match),
  );
}

/** An API Gateway HTTP API on this machine, with the routes of the stack. */
export async function startGateway(options: GatewayOptions): Promise<LoopbackServer> {
  const defaults = { port: 0, endpoints: deployed, timeoutSeconds: 30, maxBodyBytes: 10 * 1024 * 1024 };
  const settings: Settings = { ...defaults, ...options };
  const findRoute = routesOf(settings.endpoints);
  const respond = (message: IncomingMessage, response: ServerResponse) => {
    answer(settings, findRoute, message)
      .then((result) => writeAnswer(response, result))
      .catch((error: unknown) => {
        if (message.errored) return;
        logError('The gateway failed.', describeError(error));
        writeAnswer(response, internalServerError);
      });
  };
  return listenOnLocalhost(respond, settings.port);
}
