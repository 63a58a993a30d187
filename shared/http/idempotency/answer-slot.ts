import { createHash } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import { type IdempotencyRecord, keyedHours } from '../../domain/idempotency.ts';

/** The facts that identify a request and its repetitions. */
export interface IdempotentRequest {
  routeKey: string;
  path: string;
  requestId: string;
  key: string | undefined;
  /** The facts that identify automatic retries of clients that send no key. Only for routes that pay money out. */
  keyless: { keyHash: string; retryCount: number; arrivedAt: Date } | undefined;
  body: unknown;
  now: Date;
}

const keylessMinutes = 10;

/** Where the response to a request is stored. */
export interface AnswerSlot {
  record: Omit<IdempotencyRecord, 'answer' | 'started'>;
  now: string;
  looksUp: boolean;
  keepsRefusals: boolean;
}

/**
 * The place of a request's response. It is stored under the client's key. If the request pays money out and has no key,
 * it is stored under the request itself. The time of a request is its arrival at the gateway. So a request that waits
 * for a cold start does not count as newer than its own retry.
 */
export function slotOf({ routeKey, path, key, keyless, body, now }: IdempotentRequest): AnswerSlot | undefined {
  const fingerprint = sha256(`${routeKey}\n${path}\n${canonicalJson(body)}`);
  if (key !== undefined) return keyedSlot(`${routeKey}#${sha256(normalizeKey(key))}`, fingerprint, now);
  if (!keyless) return undefined;
  const { keyHash, retryCount, arrivedAt } = keyless;
  const isRetry = retryCount > 0;
  const id = `${routeKey}#keyless#${sha256(`${keyHash}\n${fingerprint}`)}`;
  const createdAt = arrivedAt.toISOString();
  const expiresAt = minutesAfter(now, keylessMinutes);
  const record = { id, fingerprint, createdAt, expiresAt, replacesBefore: isRetry ? null : createdAt, isRetry };
  return { record, now: now.toISOString(), looksUp: isRetry, keepsRefusals: false };
}

/** The id of the record that `once` reads first. Undefined if it reads none. */
export function lookedUpId(request: IdempotentRequest): string | undefined {
  const slot = slotOf(request);
  return slot?.looksUp ? slot.record.id : undefined;
}

/** The place of the result of a dashboard form. Equal forms have the same fingerprint. */
export const formSlot = (fingerprint: string, now: Date): AnswerSlot => keyedSlot(`DASHBOARD ${fingerprint}`, '', now);

function keyedSlot(id: string, fingerprint: string, at: Date): AnswerSlot {
  const now = at.toISOString();
  const times = { createdAt: now, expiresAt: minutesAfter(at, keyedHours * 60) };
  const record = { id, fingerprint, ...times, replacesBefore: null, isRetry: false };
  return { record, now, looksUp: true, keepsRefusals: true };
}

const minutesAfter = (date: Date, minutes: number): string => new Date(date.getTime() + minutes * 60_000).toISOString();

/** Reads an idempotency key. It may be plain or in quotes, like a string of RFC 8941. */
function normalizeKey(key: string): string {
  const bare = /^"(.*)"$/.exec(key)?.[1] ?? key;
  if (/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(bare)) return bare;
  throw new DomainError('INVALID_REQUEST_PARAMETERS', 'An Idempotency-Key has 1 to 255 printable ASCII characters.');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Writes JSON with sorted keys. So a request with other white space or another order counts as the same request. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}
