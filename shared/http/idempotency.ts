import { createHash } from 'node:crypto';
import { DomainError } from '../domain/errors.ts';
import { AlreadyDone, type IdempotencyRecord } from '../domain/idempotency.ts';
import { type HttpResponse, isRefusal, presentProblem } from './problem.ts';

export interface IdempotencyRecords {
  find(id: string, now: string): Promise<IdempotencyRecord | undefined>;
  /** Writes one record by itself; throws AlreadyDone when there is one. */
  save(record: IdempotencyRecord): Promise<void>;
}

/** What identifies a request and its repetitions. */
export interface IdempotentRequest {
  routeKey: string;
  path: string;
  requestId: string;
  key: string | undefined;
  /** For routes that pay money out: recognizes the automatic retries of clients that send no key. */
  keyless: { keyHash: string; retryCount: number; arrivedAt: Date } | undefined;
  body: unknown;
  now: Date;
}

const keyedHours = 48;
const keylessMinutes = 10;

interface Answers<Result> {
  respond: (result: Result) => HttpResponse;
  /** What is kept for a repetition. */
  keep: (result: Result) => HttpResponse;
}

/** Runs a command at most once per key: a repetition gets the stored bytes, a refusal is stored as well, a defect is not. */
export async function once<Result>(
  request: IdempotentRequest,
  records: IdempotencyRecords,
  { respond, keep }: Answers<Result>,
  act: (keptAnswer: (result: Result) => IdempotencyRecord[]) => Promise<Result>,
): Promise<HttpResponse> {
  const slot = slotOf(request);
  if (!slot) return respond(await act(() => []));
  const record = (response: HttpResponse): IdempotencyRecord => ({
    ...slot.record,
    status: response.statusCode,
    body: response.body,
  });
  try {
    const earlier = slot.looksUp ? await records.find(slot.record.id, request.now.toISOString()) : undefined;
    if (earlier) throw new AlreadyDone(earlier);
    return respond(await act((result) => [record(keep(result))]));
  } catch (error) {
    if (error instanceof AlreadyDone) return replay(error.record, slot.record.fingerprint);
    if (!isRefusal(error) || !slot.keepsRefusals) throw error;
    return keepRefusal(record(presentProblem(error, request)), records, error);
  }
}

async function keepRefusal(
  record: IdempotencyRecord,
  records: IdempotencyRecords,
  error: DomainError,
): Promise<never | HttpResponse> {
  try {
    await records.save(record);
  } catch (lost) {
    if (lost instanceof AlreadyDone) return replay(lost.record, record.fingerprint);
    throw lost;
  }
  throw error;
}

function replay(record: IdempotencyRecord, fingerprint: string): HttpResponse {
  if (record.fingerprint !== fingerprint)
    throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key belongs to another request; use a new one.');
  const type = record.status === 200 ? 'application/json' : 'application/problem+json';
  const headers: Record<string, string> = {
    'content-type': type,
    'idempotent-replayed': 'true',
    'cache-control': 'no-store',
  };
  if (record.status === 409) headers['x-should-retry'] = 'false';
  return { statusCode: record.status, headers, body: record.body };
}

/** The id of the record that `once` looks for first; undefined where it looks for none. */
export function lookedUpId(request: IdempotentRequest): string | undefined {
  const slot = slotOf(request);
  return slot?.looksUp ? slot.record.id : undefined;
}

interface Slot {
  record: Omit<IdempotencyRecord, 'status' | 'body'>;
  looksUp: boolean;
  keepsRefusals: boolean;
}

/**
 * Where the answer is kept: under the client's key, or under the request itself where money is paid out without one. Such a
 * request is as old as its arrival at the gateway: one that waits for a cold start must not pass for newer than its own retry.
 */
function slotOf(request: IdempotentRequest): Slot | undefined {
  const fingerprint = sha256(`${request.routeKey}\n${request.path}\n${canonicalJson(request.body)}`);
  const until = (minutes: number) => new Date(request.now.getTime() + minutes * 60_000).toISOString();
  if (request.key !== undefined) {
    const id = `${request.routeKey}#${sha256(normalizeKey(request.key))}`;
    const expiresAt = until(keyedHours * 60);
    return {
      record: {
        id,
        fingerprint,
        createdAt: request.now.toISOString(),
        expiresAt,
        replacesBefore: null,
        isRetry: false,
      },
      looksUp: true,
      keepsRefusals: true,
    };
  }
  if (!request.keyless) return undefined;
  const { keyHash, retryCount, arrivedAt } = request.keyless;
  const isRetry = retryCount > 0;
  const id = `${request.routeKey}#keyless#${sha256(`${keyHash}\n${fingerprint}`)}`;
  const createdAt = arrivedAt.toISOString();
  const kept = { createdAt, expiresAt: until(keylessMinutes), replacesBefore: isRetry ? null : createdAt };
  return { record: { ...kept, id, fingerprint, isRetry }, looksUp: isRetry, keepsRefusals: false };
}

/** One key, bare or quoted as RFC 8941 writes strings. */
function normalizeKey(key: string): string {
  const bare = /^"(.*)"$/.exec(key)?.[1] ?? key;
  if (/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(bare)) return bare;
  throw new DomainError('INVALID_REQUEST_PARAMETERS', 'An Idempotency-Key has 1 to 255 printable ASCII characters.');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** JSON with sorted keys: white space and order do not make another request. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}
