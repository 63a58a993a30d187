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

const network = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

interface TableError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Whether the same request may succeed if it is sent again. Its outcome is then unknown. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code = '', $metadata }: TableError = error;
  return passing.has(name) || network.test(code) || ($metadata?.httpStatusCode ?? 0) >= 500;
}

/** The table has not decided in time. */
export const unanswered = (cause?: unknown): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'The store did not answer in time. Try again.', { cause });

/** Turns a passing fault of the table into a 503. Other errors stay unchanged. */
export const toUnavailable = (error: unknown): unknown => (isPassing(error) ? unanswered(error) : error);

/** Translates the error of a call to the table where it occurs: `.catch(unavailable)`. */
export const unavailable = (error: unknown): never => {
  throw toUnavailable(error);
};
