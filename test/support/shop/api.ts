import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { endpoints } from '../../../infra/endpoints.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { findRouteIn } from '../../../infra/local/local-gateway.ts';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { startLocalTable } from '../../../infra/local/local-table.ts';
import { setEnvironment } from '../../../infra/local/sandbox-environment.ts';
import type { Invoke } from '../../../infra/local-aws/functions.ts';
import type { LocalTable } from '../../../infra/local-aws/table.ts';
import { usualRefunds } from '../../../shared/domain/access/access.ts';
import type { ApiKey } from '../../../shared/domain/access/api-key.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import { formatApiKey, hashApiKey } from '../../../shared/http/api-key.ts';
import { logSink } from '../../../shared/log.ts';
import { apiKeys, table as runtimeTable, world } from '../../../shared/wiring/runtime.ts';
import { goAroundSdk } from '../table/without-sdk.ts';

export const testMerchant = Merchant.parse({
  id: 'demo',
  name: 'Example Books',
  country: 'DE',
  collectPolicy: 'everywhere',
});

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  /** The cookies that the answer sets. */
  cookies: string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read any response
  body: any;
  text: string;
}

export interface Call {
  body?: unknown;
  /** The raw bytes of the request, instead of `body`. */
  raw?: Buffer;
  query?: string;
  headers?: Record<string, string>;
  /** The cookies, each as `name=value`. */
  cookies?: string[];
  key?: string | null;
  /** The time at which the gateway received the request. Default: now. */
  arrivedAt?: Date;
  /** The IP address of the caller. */
  source?: string;
}

export interface Api {
  endpoint: string;
  tableName: string;
  table: LocalTable;
  /** The log lines so far. */
  log: string[];
  call: Calling['call'];
  /** Makes the functions reach the table through a socket, as other processes do. Returns a function that undoes it. */
  speakHttp: () => () => void;
  /** Makes the functions call the table through the complete SDK, as in AWS. */
  speakSdk: () => void;
  /** Creates one more API key. */
  addKey(fields: Partial<ApiKey>): Promise<string>;
  stop(): Promise<void>;
}

/**
 * The functions of the route table with a new table, without HTTP and without the functions behind the table's stream.
 * Their table calls skip the SDK's client, because it takes most of the time of a call (`goAroundSdk`).
 */
export async function startApi(
  merchant: Merchant = testMerchant,
  environment: Readonly<Record<string, string>> = {},
): Promise<Api> {
  const table = await startLocalTable();
  const nowhere = 'http://127.0.0.1:9';
  const endpointsOf = { table: table.endpoint, bucket: nowhere, bus: nowhere, queue: nowhere };
  setEnvironment(
    { publicUrl: 'http://localhost:4000', endpoints: endpointsOf, merchant },
    { TABLE_NAME: table.tableName, ...environment },
  );
  const { client } = runtimeTable();
  const disconnect = table.connect(client);
  const speakSdk = table.engine ? goAroundSdk(client, table.engine) : () => {};
  await seedLocalKey(table);
  const log: string[] = [];
  logSink.write = (line) => void log.push(line);
  return {
    endpoint: table.endpoint,
    tableName: table.tableName,
    table,
    speakHttp: () => {
      const { requestHandler } = client.config;
      const { middlewareStack } = client;
      disconnect();
      return () => {
        client.config.requestHandler = requestHandler;
        client.middlewareStack = middlewareStack;
      };
    },
    speakSdk,
    log,
    call,
    addKey,
    stop: () => table.stop(),
  };
}

/**
 * Starts the same API with the SDK's client. Tests of stores, conformance, deployment, costs and simultaneous calls use
 * it, and so does the sandbox for browser tests.
 */
export const startApiThroughSdk: typeof startApi = async (...options) => {
  const api = await startApi(...options);
  api.speakSdk();
  return api;
};

/** The way in which a test's request reaches a function. */
export interface Calling {
  /** Runs `call('POST /refunds', {body})` with the real handler, a real event and the local table. */
  call(request: string, options?: Call): Promise<ApiAnswer>;
  /** Returns the function for a request such as `GET /payments`, and the event that it receives. */
  routed(request: string, options?: Call): { function: string; event: object };
}

type Match = ReturnType<typeof findRouteIn>;

/** Creates the caller that sends requests to functions by the route table. */
export function callingOf(routes: Parameters<typeof findRouteIn>[0], invoke: Invoke): Calling {
  const match = findRouteIn(routes);
  const routed: Calling['routed'] = (request, options = {}) => {
    const [method = 'GET', path = '/'] = request.split(' ');
    const route = match(method, decodeURIComponent(path));
    if (!route) throw new Error(`No route for ${request}.`);
    return { function: route.function, event: eventOf(method, path, route, options) };
  };
  const call: Calling['call'] = async (request, options) => {
    const { function: functionName, event } = routed(request, options);
    const isCommand = !request.startsWith('GET ');
    if (isCommand) waitForNextMillisecond();
    const answer = (await invoke(functionName, event)) as GatewayAnswer;
    if (isCommand && answer.statusCode < 400) endedAt = Date.now();
    return toAnswer(answer);
  };
  return { call, routed };
}

let endedAt = 0;

/**
 * Waits until the millisecond in which the previous command ended is over. Lists sort by time, and two objects of one
 * millisecond by their random ids. Calls at the same time do not wait for each other.
 */
function waitForNextMillisecond(): void {
  while (Date.now() === endedAt);
}

export const { call, routed } = callingOf(endpoints, invokeFunction);

interface GatewayAnswer {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body: string;
}

function toAnswer(answer: GatewayAnswer): ApiAnswer {
  const isJson = /json/.test(answer.headers['content-type'] ?? '');
  return {
    status: answer.statusCode,
    headers: answer.headers,
    cookies: answer.cookies ?? [],
    text: answer.body,
    body: isJson && answer.body !== '' ? JSON.parse(answer.body) : answer.body,
  };
}

type Route = NonNullable<ReturnType<Match>>;

function eventOf(
  method: string,
  path: string,
  route: Route,
  {
    body,
    raw,
    query = '',
    headers = {},
    cookies = [],
    key = localKey,
    arrivedAt = world.now(),
    source = '127.0.0.1',
  }: Call,
) {
  const bytes = raw ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
  const given = {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(bytes ? { 'content-type': 'application/json' } : {}),
    ...headers,
  };
  const event: Partial<APIGatewayProxyEventV2> = {
    version: '2.0',
    routeKey: route.routeKey,
    rawPath: path,
    rawQueryString: query,
    headers: given,
    cookies,
    isBase64Encoded: raw !== undefined,
    requestContext: {
      requestId: 'request-1',
      timeEpoch: arrivedAt.getTime(),
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: source, userAgent: 'test' },
    } as APIGatewayProxyEventV2['requestContext'],
  };
  if (route.pathParameters) event.pathParameters = route.pathParameters;
  if (bytes) event.body = bytes.toString(raw ? 'base64' : 'utf8');
  return event;
}

let serial = 0;

export async function addKey(fields: Partial<ApiKey>): Promise<string> {
  serial += 1;
  const key = formatApiKey('sandbox', `Test${serial}`.padEnd(32, 'x'));
  const common = {
    name: 'Test',
    lastFour: key.slice(-4),
    access: 'write' as const,
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: null,
  };
  const refunds = usualRefunds(fields.access ?? common.access);
  await apiKeys().save({ hash: hashApiKey(key), ...common, refunds, expiresAt: null, revokedAt: null, ...fields });
  return key;
}
