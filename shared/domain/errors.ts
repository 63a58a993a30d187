import type { BrokenRule, Rule, RuleValues } from './rules/rules.ts';

/** Every error code, as the API spells it. `shared/http/problem.ts` gives each a status. */
export type ErrorCode =
  | 'ARCHIVED_PRODUCT_IN_CART'
  | 'BRAND_MISMATCH'
  | 'CHECKOUT_SESSION_CONSUMED'
  | 'CHECKOUT_SESSION_EXPIRED'
  | 'CONFLICT'
  | 'DISCOUNT_CODE_ALREADY_EXISTS'
  | 'DISCOUNT_CODE_EXPIRED'
  | 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED'
  | 'DISCOUNT_CONCURRENT_REDEMPTION'
  | 'DISCOUNT_CURRENCY_OPTION_INVALID'
  | 'DISCOUNT_CUSTOMER_NOT_ELIGIBLE'
  | 'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET'
  | 'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT'
  | 'DISCOUNT_NOT_COMBINABLE'
  | 'DISCOUNT_NOT_YET_ACTIVE'
  | 'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED'
  | 'DUPLICATE_LINE_ITEMS_IN_REQUEST'
  | 'EXCHANGE_RATE_NOT_FOUND'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTEGER_CONVERSION_FAILURE'
  | 'INTERNAL_SERVER_ERROR'
  | 'INACTIVE_LICENSE_KEY'
  | 'INVALID_DISCOUNT_CODE'
  | 'INVALID_MAXIMUM_PRICE'
  | 'INVALID_PERCENTAGE'
  | 'INVALID_QUERY_PARAMS'
  | 'INVALID_REQUEST_BODY'
  | 'INVALID_REQUEST_PARAMETERS'
  | 'INVALID_SUGGESTED_PRICE'
  | 'INVALID_TAX_ID'
  | 'LICENSE_KEY_ALREADY_EXISTS'
  | 'LICENSE_KEY_INSTANCE_NOT_FOUND'
  | 'LICENSE_KEY_LIMIT_REACHED'
  | 'LICENSE_KEY_NOT_FOUND'
  | 'LINE_ITEM_FULLY_REFUNDED'
  | 'LINE_ITEM_NOT_FOUND'
  | 'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH'
  | 'LINE_ITEM_REFUND_AMOUNT_TOO_LOW'
  | 'LIVE_MODE_TEST_CARD'
  | 'LOCALIZED_PRICE_ALREADY_EXISTS'
  | 'LOCALIZED_PRICE_DUPLICATES_BASE'
  | 'LOCALIZED_PRICE_SHAPE_MISMATCH'
  | 'MAXIMUM_KEYS_REACHED'
  | 'MERCHANT_NOT_LIVE'
  | 'METHOD_NOT_ALLOWED'
  | 'NOTHING_TO_REFUND'
  | 'NOT_FOUND'
  | 'PARTIAL_REFUND_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'PAYMENT_ALREADY_REFUNDED'
  | 'PAYMENT_DISPUTED'
  | 'PAYMENT_NOT_SUCCEEDED'
  | 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED'
  | 'PRODUCT_CART_EMPTY'
  | 'PRODUCT_IS_DELETED'
  | 'PRODUCT_PRICING_MODE_REQUIRED'
  | 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT'
  | 'REFUND_LIMIT_EXCEEDED'
  | 'REFUND_WINDOW_EXPIRED'
  | 'REQUEST_AMOUNT_ABOVE_MAXIMUM'
  | 'REQUEST_AMOUNT_BELOW_MINIMUM'
  | 'SERVICE_UNAVAILABLE'
  | 'TOO_MANY_REQUESTS'
  | 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'UNSUPPORTED_COUNTRY'
  | 'UNSUPPORTED_CURRENCY'
  | 'UNSUPPORTED_DISCOUNT_TYPE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'UNPARSABLE_BODY'
  | 'UNSUPPORTED_TAX_CATEGORY'
  | 'WRONG_MODE'
  | 'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED';

/**
 * One fault and where it is: `items[0].amount`. The API sends the path and message. Pages translate the rule and its
 * values.
 */
export interface Fault {
  path: string;
  message: string;
  /** The broken rule and its values; absent if no form can cause the fault, so no page needs to translate it. */
  rule?: Rule;
  values?: RuleValues;
}

interface ErrorDetails {
  /** The errors in the request; the first one is the message. */
  faults?: Fault[];
  /** After how many seconds the caller may try again. */
  retryAfterSeconds?: number;
  /** The discount code that was refused, so a page can continue without it; never sent. */
  discountCode?: string;
  /** The methods that the path supports. */
  allowedMethods?: readonly string[];
  /** Additional members of the response, such as the id of another payment that has already succeeded. */
  extra?: Record<string, unknown>;
  /** The internal reason: logged, never sent. */
  cause?: unknown;
}

/** A refusal with a public message. It is thrown before anything is changed. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** The broken rule, if the request breaks one as a whole. */
  readonly broken: BrokenRule | undefined;

  constructor(code: ErrorCode, reason: string | BrokenRule, details: ErrorDetails = {}) {
    super(messageOf(reason), { cause: details.cause });
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
    this.broken = typeof reason === 'string' ? undefined : reason;
  }
}

const messageOf = (reason: string | BrokenRule): string => (typeof reason === 'string' ? reason : reason.message);

/** A fault of one field. */
export const faultAt = (path: string, reason: string | BrokenRule): Fault =>
  typeof reason === 'string' ? { path, message: reason } : { path, ...reason };

/** Refuses one field. */
export const refuse = (code: ErrorCode, path: string, reason: string | BrokenRule): DomainError =>
  new DomainError(code, reason, { faults: [faultAt(path, reason)] });

/** Refuses one field, and names it in the message as well. */
export const refuseField = (code: ErrorCode, path: string, reason: string | BrokenRule): DomainError =>
  new DomainError(code, `${path}: ${messageOf(reason)}`, { faults: [faultAt(path, reason)] });

/** Whether an error is a refusal with one of the codes. */
export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is DomainError =>
  error instanceof DomainError && codes.includes(error.code);

/** The error for an unknown id or address. `path` is the field with the id, unless the id is in the address. */
export function notFound(noun: string, id?: string, path?: string): DomainError {
  const message = `There is no ${id === undefined ? noun : `${noun} ${id}`}.`;
  return path === undefined ? new DomainError('NOT_FOUND', message) : refuse('NOT_FOUND', path, message);
}

/** The error if no processor is connected to take money. */
export const notConnected = (): DomainError =>
  new DomainError('MERCHANT_NOT_LIVE', 'This merchant takes no payments yet: no processor is connected.');

/** The error if others changed the same object at the same time. */
export const busy = (
  cause: unknown,
  retryAfterSeconds?: number,
  code: ErrorCode = 'SERVICE_UNAVAILABLE',
): DomainError =>
  new DomainError(code, 'Too many requests changed this object at once. Nothing was changed by this one. Try again.', {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
