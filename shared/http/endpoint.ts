import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import type { NeededAccess } from '../domain/access/access.ts';
import type { ApiKey } from '../domain/access/api-key.ts';
import { actorOf } from '../domain/access/audit.ts';
import { DomainError } from '../domain/errors.ts';
import type { Claim, IdempotencyRecord } from '../domain/idempotency.ts';
import { env } from '../env.ts';
import { describeError, logError, logInfo } from '../log.ts';
import { apiKeys, idempotencyRecords, readAhead, world } from '../runtime.ts';
import { keys, type RowKey } from '../store/keys.ts';
import { parseInput } from '../wire/parse.ts';
import { auditRecords } from './audit.ts';
import { authenticate, presentedKeyHash } from './authentication.ts';
import { type IdempotentRequest, lookedUpId, once } from './idempotency.ts';
import { parseJsonBody } from './json-body.ts';
import { refuseDirectCall } from './origin.ts';
import { requiredParameter } from './path-parameter.ts';
import { type HttpResponse, presentProblem } from './problem.ts';
import { remembered } from './remembered.ts';

interface Options<Body, Query, Result> {
  /** What the caller's key must allow. */
  access: NeededAccess;
  body?: z.ZodType<Body>;
  query?: z.ZodType<Query>;
  /** Commands: answers are kept under the caller's Idempotency-Key. */
  idempotent?: boolean;
  /** Commands that pay money out: automatic retries are recognized even without a key. */
  recognizesRetries?: boolean;
  /** The rows that the command will read, requested together with the key. */
  needs?: (request: Request<Body, Query>) => readonly RowKey[];
  /** The result as the dialect shows it. */
  present: (result: Result, caller: ApiKey) => unknown;
  /** What is stored for a repetition instead, if the response shows something only once. */
  presentAgain?: (result: Result) => unknown;
}

interface Request<Body, Query> {
  body: Body;
  query: Query;
  /** A path parameter, decoded. */
  param: (name: string) => string;
}

interface Input<Body, Query, Result> extends Request<Body, Query> {
  caller: ApiKey;
  claim: Claim<Result>;
}

/**
 * Creates the handler of one endpoint: authenticates, parses, runs the command once, and presents the result. Every
 * error becomes a problem.
 */
export function endpoint<Body = undefined, Query = undefined, Result = unknown>(
  options: Options<Body, Query, Result>,
  act: (input: Input<Body, Query, Result>) => Promise<Result>,
) {
  return middy<APIGatewayProxyEventV2, HttpResponse>()
    .use(answers)
    .handler((event) => run(event, options, act));
}

async function run<Body, Query, Result>(
  event: APIGatewayProxyEventV2,
  options: Options<Body, Query, Result>,
  act: (input: Input<Body, Query, Result>) => Promise<Result>,
): Promise<HttpResponse> {
  assertLive();
  const now = world.now();
  const input = remembered(() => parseRequest(event, options));
  const repetition = (keyHash: string) => ({ ...identify(event, keyHash, options), body: askedOf(input()), now });
  return readAhead(rowsOf(event, options, input, repetition), async () => {
    const caller = await admit(event, options.access, now);
    const { body, query, param } = input();
    const { present, presentAgain = (result: Result) => present(result, caller) } = options;
    const respond = (result: Result) => json(present(result, caller));
    const keep = (result: Result) => json(presentAgain(result));
    const by = actorOf(caller, 'api');
    const command = (keptAnswer: (result: Result) => IdempotencyRecord[]) => {
      const claim: Claim<Result> = (result, done) => [...keptAnswer(result), ...auditRecords(by, done)];
      return act({ body, query, param, caller, claim });
    };
    if (!options.idempotent) return respond(await command(() => []));
    return once(repetition(caller.hash), idempotencyRecords(), { respond, keep }, command);
  });
}

function parseRequest<Body, Query, Result>(
  event: APIGatewayProxyEventV2,
  options: Options<Body, Query, Result>,
): Request<Body, Query> {
  const body = options.body ? parseInput(options.body, readJson(event)) : (undefined as Body);
  const query = options.query
    ? parseInput(options.query, readQuery(event), 'INVALID_QUERY_PARAMS')
    : (undefined as Query);
  return { body, query, param: (name) => requiredParameter(event, name) };
}

/** The parts of a request that must be equal under one Idempotency-Key. */
const askedOf = <Body, Query>({ body, query }: Request<Body, Query>): unknown =>
  query === undefined ? body : { body, query };

/**
 * The rows that a request will read: the caller's key, a stored response, and what the command needs. An invalid
 * request only reads fewer rows here. It is refused after its key is checked.
 */
function rowsOf<Body, Query, Result>(
  event: APIGatewayProxyEventV2,
  { needs, idempotent }: Options<Body, Query, Result>,
  input: () => Request<Body, Query>,
  repetition: (keyHash: string) => IdempotentRequest,
): RowKey[] {
  const rows: RowKey[] = [];
  try {
    const keyHash = presentedKeyHash(event.headers['authorization'], env.stage());
    rows.push(keys.apiKey(keyHash));
    const recordId = idempotent && lookedUpId(repetition(keyHash));
    if (recordId) rows.push(keys.idempotency(recordId));
    rows.push(...(needs?.(input()) ?? []));
  } catch {
    // comes up again when the request is looked at
  }
  return rows;
}

function assertLive(): void {
  if (env.stage() === 'live' && !env.merchant().live)
    throw new DomainError('MERCHANT_NOT_LIVE', 'This merchant is not live yet; use the sandbox stack.');
}

const admit = (event: APIGatewayProxyEventV2, access: NeededAccess, now: Date): Promise<ApiKey> =>
  authenticate(event.headers['authorization'], access, { keys: apiKeys(), stage: env.stage(), now });

function identify(
  event: APIGatewayProxyEventV2,
  keyHash: string,
  { recognizesRetries }: Pick<Options<never, never, never>, 'recognizesRetries'>,
) {
  const retryCount = Number(event.headers['x-stainless-retry-count'] ?? 0) || 0;
  const arrivedAt = new Date(event.requestContext.timeEpoch);
  return {
    routeKey: event.routeKey,
    path: event.rawPath,
    requestId: event.requestContext.requestId,
    key: event.headers['idempotency-key'],
    keyless: recognizesRetries ? { keyHash, retryCount, arrivedAt } : undefined,
  };
}

/** The body as bytes, in any encoding of the gateway. */
export const bodyBytes = (event: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');

function readJson(event: APIGatewayProxyEventV2): unknown {
  const type = event.headers['content-type'] ?? '';
  if (!/^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type))
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "content-type: application/json".');
  return parseJsonBody(bodyBytes(event));
}

/** An empty value counts as absent. */
function readQuery(event: APIGatewayProxyEventV2): Record<string, string> {
  const entries = [...new URLSearchParams(event.rawQueryString)].filter(([, value]) => value !== '');
  return Object.fromEntries(entries);
}

const json = (value: unknown): HttpResponse => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value ?? {}),
});

/** Logs every request with its outcome, and turns errors into responses. */
export const answers: middy.MiddlewareObj<APIGatewayProxyEventV2, HttpResponse> = {
  before: refuseDirectCall,
  after: ({ event, response }) => logInfo('request', { ...describe(event), status: response?.statusCode }),
  onError: (request) => {
    const { event, error } = request;
    request.response = presentProblem(error, { path: event.rawPath, requestId: event.requestContext.requestId });
    logFailure(event, request.response.statusCode, error);
  },
};

const describe = ({ requestContext, routeKey }: APIGatewayProxyEventV2) => ({
  request_id: requestContext.requestId,
  route: routeKey,
});

function logFailure(event: APIGatewayProxyEventV2, status: number, error: unknown): void {
  const fields = { ...describe(event), status };
  if (status >= 500) logError('request failed', { ...fields, ...describeError(causeOf(error)) });
  else logInfo('request', { ...fields, code: error instanceof DomainError ? error.code : undefined });
}

/** The internal cause, not the public message. */
const causeOf = (error: unknown): unknown => (error instanceof DomainError ? (error.details.cause ?? error) : error);
