import type { AuditEntry, AuditedCommand } from './access/audit.ts';

/** The answer to a request that has been made, kept under its key for a repetition. */
export interface IdempotencyRecord {
  /** `<METHOD route>#<sha256 of the key>`. */
  id: string;
  /** SHA-256 of method, path and body: another request under the same key is refused. */
  fingerprint: string;
  status: number;
  /** The exact bytes of the answer. */
  body: string;
  createdAt: string;
  expiresAt: string;
  /**
   * For answers that are kept without a key: a new request replaces what an earlier one left, but not what its own automatic
   * retry has written since `replacesBefore`. Null: the record must not exist.
   */
  replacesBefore: string | null;
  /** Whether the client's library repeated the request by itself. */
  isRetry: boolean;
}

/** What is written with the effect of a command: the answer that is kept for a repetition, or an entry of the audit log. */
export type CommandRecord = IdempotencyRecord | { audit: AuditEntry };

/**
 * Turns a result into the rows that are written with it, so that effect, answer and audit entry exist together or not at all.
 * The command names what it did; null: nothing that an audit log is for.
 */
export type Claim<Result> = (result: Result, command: AuditedCommand | null) => CommandRecord[];

/** Somebody has already done what was asked: their answer stands. */
export class AlreadyDone extends Error {
  readonly record: IdempotencyRecord;

  constructor(record: IdempotencyRecord) {
    super('The request has been answered before.');
    this.name = 'AlreadyDone';
    this.record = record;
  }
}

/** The row that was read has changed since: load and decide again. */
export class StaleVersion extends Error {
  constructor() {
    super('The row has changed since it was read.');
    this.name = 'StaleVersion';
  }
}
