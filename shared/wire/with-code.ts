import type { ErrorCode } from '../domain/errors.ts';

/** A fault with its own code in the API. */
export const withCode = (code: ErrorCode, message: string) => ({ error: message, params: { code } });
