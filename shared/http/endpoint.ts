import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import type { NeededAccess } from '../domain/access/access.ts';
import { leftBehindBy } from '../domain/access/api-commands.ts';
import type { ApiKey } from '../domain/access/api-key.ts';
import { actorOf } from '../domain/access/audit.ts';
import { assertMayLeave } from '../domain/access/left-behind.ts';
import { DomainError, refuse } from '../domain/errors.ts';
import type { Claim, IdempotencyRecord } from '../domain/idempotency.ts';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { brokenRule } from '../domain/rules/rules.ts';
import { env } from '../env.ts';
import { keys, type ReadAhead, type RowKey } from '../store/keys.ts';
import type { Walk } from '../wire/cursor.ts';
import { type LenientInput, parseInput } from '../wire/parse.ts';
import { type AuditDeps, auditRecords } from './audit.ts';
import { authenticate, type KeyReader, presentedKeyHash } from './authentication.ts';
import { edge, noteCaller } from './edge.ts';
import { type AnswerSlot, type IdempotentRequest, lookedUpId, slotOf } from './idempotency/answer-slot.ts';
import { type Continuation, type IdempotencyRecords, once } from './idempotency/once.ts';
import type { Leniency } from './left-out-fields.ts';
import { type HttpResponse, presentProblem } from './problem.ts';
import { remembered } from './remembered.ts';
import { bodyBytes } from './request/body.ts';
import { readJson } from './request/json-body.ts';
import { requiredParameter } from './request/path-parameter.ts';

/** The dependencies of an endpoint that are the same for all endpoints of a stack. */
interface Stack extends AuditDeps {
  apiKeys: () => KeyReader;
  idempotencyRecords: () => IdempotencyRecords;
  readAhead: ReadAhead;
  /** The secret that signs the cursors of lists; undefined if the stack does not have one yet. */
  cursorSecret: () => Promise<string | undefined>;
  /** The rows that `cursorSecret` reads. */
  cursorSecretRows: () => readonly RowKey[];
}

interface Options<Body, Query, Result> {
  /** The access that the caller's key needs. */
  access: NeededAccess;
  body?: z.ZodType<Body>;
  /** Whether a request without a body is the same as an empty object. */
  mayBeEmpty?: boolean;
  query?: z.ZodType<Query>;
  /** How to handle fields that version 0.2.0 ignored. For bodies that have such fields. */
  leniency?: Leniency;
  /** Whether an answer is stored under the caller's Idempotency-Key. For commands. */
  idempotent?: boolean;
  /** Whether automatic retries are recognized without a key. For commands that pay money out. */
  recognizesRetries?: boolean;
  /** How a repeated request continues a command of several transactions, if the first request was not answered. */
  continuation?: Continuation<Result>;
  /**
   * Finds the idempotency records of one request with a key, for a command whose effect is itself the record. Nothing
   * is written before `admit` has succeeded.
   */
  ownRecords?: (
    record: Pick<IdempotencyRecord, 'id' | 'fingerprint'>,
    admit: () => Promise<unknown>,
  ) => Promise<OwnRecords>;
  /** Reads the idempotency key from the body, for clients that send it there. The header is used first. */
  keyInBody?: (body: Buffer) => string | undefined;
  /** The rows that the command will read. They are read together with the caller's key. */
  needs?: (request: Request<Body, Query>) => readonly RowKey[];
  /** The result in the form of the API. */
  present: (result: Result, caller: ApiKey & Walk) => unknown;
  /**
   * The answer that is stored for a repeated request, if the first answer contains something that is shown only once.
   */
  presentAgain?: (result: Result) => unknown;
}

/** The idempotency records of a command whose effect contains the record. */
interface OwnRecords extends IdempotencyRecords {
  /** The rows that `find` reads, apart from the row of the record itself. */
  rows: readonly RowKey[];
  /** The id that the created object must have; it is known after `find`. Undefined if the object can have any id. */
  ownId(): string | undefined;
  placed(record: IdempotencyRecord): IdempotencyRecord[];
}

interface Request<Body, Query> {
  body: Body;
  query: Query;
  /** A path parameter, decoded. */
  param: (name: string) => string;
}

interface ParsedRequest<Body, Query> extends Request<Body, Query> {
  /** The unsupported fields that were removed from the body. */
  leftOut: readonly string[];
}

interface Input<Body, Query, Result> extends Request<Body, Query> {
  caller: ApiKey;
  /** The list and the key for which a cursor is valid. */
  walk: Walk;
  claim: Claim<Result>;
  /** The id for the created object, if it is derived from the request. */
  ownId: string | undefined;
}

/**
 * Creates the handler of one endpoint. It checks the key, parses the request, runs the command once, and returns the
 * result. Every error becomes a problem document.
 */
export const endpointIn =
  (stack: Stack) =>
  <Body = undefined, Query = undefined, Result = unknown>(
    options: Options<Body, Query, Result>,
    act: (input: Input<Body, Query, Result>) => Promise<Result>,
  ) =>
    edge<HttpResponse>({
      answer: (event) => run(event, { ...stack, ...options }, act),
      refuse: (error, event) =>
        presentProblem(error, { path: event.rawPath, requestId: event.requestContext.requestId }),
    });

async function run<Body, Query, Result>(
  event: APIGatewayProxyEventV2,
  options: Stack & Options<Body, Query, Result>,
  act: (input: Input<Body, Query, Result>) => Promise<Result>,
): Promise<HttpResponse> {
  assertLive();
  const now = options.now();
  const input = remembered(() => parseRequest(event, options));
  const repetition = (keyHash: string) => ({ ...identify(event, keyHash, options), body: askedOf(input()), now });
  const admitted = () => admit(event, options, now);
  const own = await ownRecordsOf(options, () => slotOf(repetition(presentedOf(event))), admitted);
  return options.readAhead([...rowsOf(event, options, input, repetition), ...(own?.rows ?? [])], async () => {
    const caller = await admitted();
    noteCaller(event, caller);
    const { body, query, param, leftOut } = input();
    await options.leniency?.note(event, leftOut, now);
    const walk = { ...caller, ...(await walkOf(event, options)) };
    const { present, continuation, presentAgain = (result: Result) => present(result, walk) } = options;
    const respond = (result: Result) => json(present(result, walk));
    const keep = (result: Result) => json(presentAgain(result));
    const by = actorOf(caller, 'api');
    const command = (keptAnswer: (result: Result) => IdempotencyRecord[]) => {
      const claim: Claim<Result> = (result, done) => [
        ...keptAnswer(result).flatMap(own?.placed ?? ((record) => [record])),
        ...auditRecords(options, by, done),
      ];
      return act({ body, query, param, caller, walk, claim, ownId: own?.ownId() });
    };
    if (!options.idempotent) return respond(await command(() => []));
    return once(repetition(caller.hash), own ?? options.idempotencyRecords(), { respond, keep, continuation }, command);
  });
}

/** The list for which a cursor of this request is valid. Only lists need the signing secret. */
const walkOf = async (
  event: APIGatewayProxyEventV2,
  { query, cursorSecret }: Stack & Pick<Options<never, unknown, never>, 'query'>,
): Promise<Omit<Walk, 'hash'>> => ({
  stackKey: isWalked(query) ? await cursorSecret() : undefined,
  list: event.rawPath,
  filters: query ? readQuery(event) : {},
});

/** Whether the request's schema has a cursor. Then its answer can contain the next one. */
const isWalked = (query: z.ZodType | undefined): boolean =>
  query !== undefined && 'shape' in query && 'cursor' in (query.shape as object);

/**
 * The idempotency records that a command itself provides, for a request with an Idempotency-Key. An invalid request has
 * none, because it is refused later, after the caller's API key is checked.
 */
function ownRecordsOf<Body, Query, Result>(
  { ownRecords }: Options<Body, Query, Result>,
  slot: () => AnswerSlot | undefined,
  admitted: () => Promise<unknown>,
): Promise<OwnRecords> | undefined {
  const record = ownRecords && attempted(slot)?.record;
  return record && ownRecords(record, admitted);
}

function attempted<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    return undefined; // This error is not lost: parsing the request throws it again.
  }
}

const presentedOf = (event: APIGatewayProxyEventV2): string =>
  presentedKeyHash(event.headers['authorization'], env.stage());

function parseRequest<Body, Query, Result>(
  event: APIGatewayProxyEventV2,
  options: Options<Body, Query, Result>,
): ParsedRequest<Body, Query> {
  const { data: body, leftOut } = parseBody(event, options);
  const query = options.query
    ? parseInput(options.query, readQuery(event), 'INVALID_QUERY_PARAMS')
    : (undefined as Query);
  return { body, query, param: (name) => requiredParameter(event, name), leftOut };
}

/**
 * Parses the body. If the merchant's configuration has `strictFields`, fields that version 0.2.0 ignored are refused.
 */
function parseBody<Body>(
  event: APIGatewayProxyEventV2,
  { body: schema, leniency, mayBeEmpty }: Pick<Options<Body, never, never>, 'body' | 'leniency' | 'mayBeEmpty'>,
): LenientInput<Body> {
  if (!schema) return { data: undefined as Body, leftOut: [] };
  const value = mayBeEmpty && bodyBytes(event).byteLength === 0 ? {} : readJson(event);
  return leniency && !env.merchant().strictFields
    ? leniency.parse(schema, value)
    : { data: parseInput(schema, value), leftOut: [] };
}

/** The parts of a request that must be the same in all requests with one Idempotency-Key. */
const askedOf = <Body, Query>({ body, query }: Request<Body, Query>): unknown =>
  query === undefined ? body : { body, query };

/**
 * The rows that a request will read: the caller's key, a stored response, and the rows that the command needs. For an
 * invalid request, it has fewer rows. Such a request is refused after its key is checked.
 */
function rowsOf<Body, Query, Result>(
  event: APIGatewayProxyEventV2,
  { needs, idempotent, query, cursorSecretRows }: Stack & Options<Body, Query, Result>,
  input: () => Request<Body, Query>,
  repetition: (keyHash: string) => IdempotentRequest,
): RowKey[] {
  const rows: RowKey[] = [];
  try {
    const keyHash = presentedOf(event);
    rows.push(keys.apiKey(keyHash));
    if (isWalked(query)) rows.push(...cursorSecretRows());
    const recordId = idempotent && lookedUpId(repetition(keyHash));
    if (recordId) rows.push(keys.idempotency(recordId));
    rows.push(...(needs?.(input()) ?? []));
  } catch {
    // This error is not lost: parsing the request throws it again.
  }
  return rows;
}

function assertLive(): void {
  if (env.stage() === 'live' && !env.merchant().live)
    throw new DomainError('MERCHANT_NOT_LIVE', brokenRule(sentences.not_live));
}

/** The caller, if the key allows this command. A key that expires cannot leave behind access or a flow of data. */
async function admit(
  event: APIGatewayProxyEventV2,
  { access, apiKeys }: Pick<Stack, 'apiKeys'> & { access: NeededAccess },
  now: Date,
): Promise<ApiKey> {
  const known = { keys: apiKeys(), stage: env.stage(), now };
  const caller = await authenticate(event.headers['authorization'], access, known);
  assertMayLeave(caller, leftBehindBy(event.routeKey), now);
  return caller;
}

function identify(
  event: APIGatewayProxyEventV2,
  keyHash: string,
  { recognizesRetries, keyInBody }: Pick<Options<never, never, never>, 'recognizesRetries' | 'keyInBody'>,
) {
  const retryCount = Number(event.headers['x-stainless-retry-count'] ?? 0) || 0;
  const arrivedAt = new Date(event.requestContext.timeEpoch);
  return {
    routeKey: event.routeKey,
    path: event.rawPath,
    requestId: event.requestContext.requestId,
    key: event.headers['idempotency-key'] ?? keyInBody?.(bodyBytes(event)),
    keyless: recognizesRetries ? { keyHash, retryCount, arrivedAt } : undefined,
  };
}

/** Reads the query. An empty value counts as absent. */
function readQuery(event: APIGatewayProxyEventV2): Record<string, string> {
  const entries = [...new URLSearchParams(event.rawQueryString)].filter(([, value]) => value !== '');
  const names = entries.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw refuse('INVALID_QUERY_PARAMS', repeated, `Send ${repeated} only once.`);
  return Object.fromEntries(entries);
}

const json = (value: unknown): HttpResponse => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value ?? {}),
});
