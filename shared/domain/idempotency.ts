import type { AuditEntry, AuditedCommand } from './access/audit.ts';
import { DomainError } from './errors.ts';

/** How long a key of the caller counts. */
export const keyedHours = 48;

/** The stored response of a request, for a repetition with the same key. */
export interface IdempotencyRecord {
  /** `<METHOD route>#<sha256 of the key>`. */
  id: string;
  /** SHA-256 of method, path and body. A different request under the same key is refused. */
  fingerprint: string;
  /** The stored response; null from the first transaction of a command of several until its response is known. */
  answer: StoredAnswer | null;
  /** What a command of several transactions has begun: a repetition continues it. Null for a command of one. */
  begun: string | null;
  createdAt: string;
  expiresAt: string;
  /**
   * For responses stored without a key. A new request replaces the stored response, unless its own retry wrote it
   * since `replacesBefore`. Null: the record must not exist yet.
   */
  replacesBefore: string | null;
  /** Whether the client's library repeated the request automatically. */
  isRetry: boolean;
  /** Absent: the record is a separate row. */
  within?: SessionPlace;
}

/** The row of a session that keeps a record, or the place where it would be. */
export interface SessionPlace {
  sessionId: string;
  /** What the session keeps of the request's fingerprint, from which the stack's secret alone can tell another request. */
  mark: string;
}

export interface StoredAnswer {
  status: number;
  /** The exact bytes of the response. */
  body: string;
}

/** A record written together with a command's effect: the stored response, or an audit entry. */
export type CommandRecord = IdempotencyRecord | { audit: AuditEntry };

/**
 * Turns a result into records that are written with it, so effect, response and audit entry exist together or not
 * at all. `command` names what was done; null: nothing to audit.
 */
export type Claim<Result> = (result: Result, command: AuditedCommand | null) => CommandRecord[];

/** Another request has already done this. Its response stands. */
export class AlreadyDone extends Error {
  readonly record: IdempotencyRecord;

  constructor(record: IdempotencyRecord) {
    super('The request has been answered before.');
    this.name = 'AlreadyDone';
    this.record = record;
  }
}

/** The refusal of a request whose first sending is not answered yet. */
export const inProgress = (): DomainError =>
  new DomainError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first of these requests is still running. Try again to get its response.',
  );

/** The row changed after it was read. Load it and decide again. */
export class StaleVersion extends Error {
  /** What a caller is refused with who meets this too often. */
  readonly code: 'SERVICE_UNAVAILABLE' | 'DISCOUNT_CONCURRENT_REDEMPTION';

  constructor(code: StaleVersion['code'] = 'SERVICE_UNAVAILABLE') {
    super('The row has changed since it was read.');
    this.code = code;
    this.name = 'StaleVersion';
  }
}
