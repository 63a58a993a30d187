import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeError, logError } from '../../../shared/log.ts';
import { endpoints as deployed, type Endpoint } from '../../endpoints.ts';
import type { Invoke } from '../../local/invoke.ts';
import { oneClickForm, oneClickPath } from '../../local/one-click.ts';
import { type LoopbackServer, listenOnLocalhost, readBody } from '../loopback-server.ts';
import { answerOf, type GatewayAnswer, gatewayMessage, writeAnswer } from './gateway-answer.ts';
import { type GatewayRequest, gatewayEventOf } from './gateway-event.ts';
import { routesOf } from './routes.ts';

interface GatewayOptions {
  invoke: Invoke;
  /** 0 is any free one. */
  port?: number;
  endpoints?: readonly Endpoint[];
  timeoutSeconds?: number;
  maxBodyBytes?: number;
  /** The key that one click on this machine signs in with. Without it, there is no such click. */
  oneClickKey?: string | undefined;
}

type Settings = Required<Omit<GatewayOptions, 'oneClickKey'>> & Pick<GatewayOptions, 'oneClickKey'>;

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
  const request = { message, body, path, requestId: randomUUID(), receivedAt };
  if (path === oneClickPath && settings.oneClickKey) return oneClick(settings, findRoute, request);
  const match = findRoute(message.method ?? 'GET', path);
  if (!match) return gatewayMessage(404, 'Not Found');
  return call(settings, match.function, gatewayEventOf(request, match));
}

/** Signs in by the product's own page, with the key that this machine knows. */
async function oneClick(settings: Settings, findRoute: FindRoute, request: GatewayRequest): Promise<GatewayAnswer> {
  const form = oneClickForm(request.message, request.body, settings.oneClickKey ?? '');
  const path = '/dashboard/sign-in';
  const match = findRoute('POST', path);
  if (!form || !match) return gatewayMessage(403, 'Forbidden');
  return call(settings, match.function, gatewayEventOf({ ...request, path, body: Buffer.from(form) }, match));
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
