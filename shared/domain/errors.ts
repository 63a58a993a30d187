/** Every error code, in the spelling of the API. `shared/http/problem.ts` gives each its status. */
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
  | 'DISCOUNT_NOT_YET_ACTIVE'
  | 'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED'
  | 'DUPLICATE_LINE_ITEMS_IN_REQUEST'
  | 'EXCHANGE_RATE_NOT_FOUND'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTEGER_CONVERSION_FAILURE'
  | 'INTERNAL_SERVER_ERROR'
  | 'INVALID_DISCOUNT_CODE'
  | 'INVALID_MAXIMUM_PRICE'
  | 'INVALID_PERCENTAGE'
  | 'INVALID_QUERY_PARAMS'
  | 'INVALID_REQUEST_BODY'
  | 'INVALID_REQUEST_PARAMETERS'
  | 'INVALID_SUGGESTED_PRICE'
  | 'INVALID_TAX_ID'
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

/** One error in a request and the path of its field: `items[0].amount`. */
export interface Fault {
  path: string;
  message: string;
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
  /** More members of the response, such as the payment that won a race. */
  extra?: Record<string, unknown>;
  /** The internal reason: logged, never sent. */
  cause?: unknown;
}

/** A refusal with a public message. It is thrown before anything is changed. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
  }
}

/** The error that refuses one field. */
export const refuse = (code: ErrorCode, path: string, message: string): DomainError =>
  new DomainError(code, message, { faults: [{ path, message }] });

/** The error that refuses one field, and also names it in the message. */
export const refuseField = (code: ErrorCode, path: string, message: string): DomainError =>
  new DomainError(code, `${path}: ${message}`, { faults: [{ path, message }] });

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
