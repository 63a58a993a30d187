import { isOfEncryptionKey } from '../../domain/encryption-key.ts';
import { DomainError } from '../../domain/errors.ts';

const passing = new Set([
  'AbortError',
  'InternalServerError',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

/** Errors of the encryption key that end by themselves. An operator has to fix all others. */
const passingOfKey = /^KMS.*(throttl|internal|timeout|unavailable|limitexceeded)/i;

const network = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

interface TableError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Whether the same request may succeed if it is sent again. It is then unknown whether the first one had an effect. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code = '', $metadata }: TableError = error;
  return passing.has(name) || passingOfKey.test(name) || network.test(code) || ($metadata?.httpStatusCode ?? 0) >= 500;
}

/** The error if the table did not answer in time. */
export const unanswered = (cause?: unknown): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'The store did not answer in time. Try again.', { cause });

/** The error if the table's encryption key cannot be used. It logs the cause, so that the request counts as failed. */
const locked = (cause: unknown): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'The store cannot be read at the moment. Try again.', { cause });

/** Turns a temporary fault of the table, or a fault of its key, into a 503. Other errors stay unchanged. */
export function toUnavailable(error: unknown): unknown {
  if (isPassing(error)) return unanswered(error);
  return isOfEncryptionKey(error) ? locked(error) : error;
}

/** Translates the error of a call to the table at the place where it occurs: `.catch(unavailable)`. */
export const unavailable = (error: unknown): never => {
  throw toUnavailable(error);
};
