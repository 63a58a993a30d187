import type { AuditEntry, AuditedCommand } from './access/audit.ts';
import { DomainError } from './errors.ts';

/** For how many hours an idempotency key is remembered. */
export const keyedHours = 48;

/** The stored response of a request, for a repetition with the same key. */
export interface IdempotencyRecord {
  /** `<METHOD route>#<sha256 of the key>`. */
  id: string;
  /** SHA-256 of method, path and body. A different request under the same key is refused. */
  fingerprint: string;
  /** The stored response. If a command has several transactions, it is null until the last one. */
  answer: StoredAnswer | null;
  /**
   * What a command of several transactions has started, so a repetition can continue it. Null if the command has only
   * one transaction.
   */
  started: string | null;
  createdAt: string;
  expiresAt: string;
  /**
   * Only for responses that are stored without an idempotency key. A new request replaces the stored response, unless a
   * retry of the same request wrote it after `replacesBefore`. Null means that the record must not exist yet.
   */
  replacesBefore: string | null;
  /** Whether the client's library repeated the request automatically. */
  isRetry: boolean;
  /** The session that holds the record; absent if the record has its own row. */
  within?: SessionPlace;
}

/** The row of the session that contains a record, or the place where that row would be. */
export interface SessionPlace {
  sessionId: string;
  /** A keyed hash of the request's fingerprint. Only with the stack's secret can it be compared with a request. */
  mark: string;
}

export interface StoredAnswer {
  status: number;
  /** The exact bytes of the response. */
  body: string;
}

/** A record that is written together with the effect of a command: the stored response, or an audit entry. */
export type CommandRecord = IdempotencyRecord | { audit: AuditEntry };

/**
 * Turns a result into records that are written in the same transaction, so effect, response and audit entry exist
 * together or not at all. `commands` name the actions; null means that it is not audited.
 */
export type Claim<Result> = (result: Result, ...commands: readonly (AuditedCommand | null)[]) => CommandRecord[];

/** Thrown if an earlier request has already done this. The caller gets the response of that request. */
export class AlreadyDone extends Error {
  readonly record: IdempotencyRecord;

  constructor(record: IdempotencyRecord) {
    super('The request has been answered before.');
    this.name = 'AlreadyDone';
    this.record = record;
  }
}

/** The error for a repeated request while the first one still runs. */
export const inProgress = (): DomainError =>
  new DomainError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first of these requests is still running. Try again to get its response.',
  );

/** Thrown if the row changed after it was read. The caller must load it and decide again. */
export class StaleVersion extends Error {
  /** The error code for the caller if this happens too often. */
  readonly code: 'SERVICE_UNAVAILABLE' | 'DISCOUNT_CONCURRENT_REDEMPTION';

  constructor(code: StaleVersion['code'] = 'SERVICE_UNAVAILABLE') {
    super('The row has changed since it was read.');
    this.code = code;
    this.name = 'StaleVersion';
  }
}
