import { DomainError } from '../domain/errors.ts';

const passing = new Set([
  'InternalServerError',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

/** A fault of the table that may pass becomes a 503 that says so; anything else stays what it is. */
export function toUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = (error as { code?: string }).code ?? '';
  const isNetwork = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(code);
  if (!passing.has(error.name) && !isNetwork) return error;
  return new DomainError('SERVICE_UNAVAILABLE', 'The store did not answer in time. Try again.', { cause: error });
}
