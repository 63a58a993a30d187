import { DomainError, type ErrorCode, type Fault } from '../domain/errors.ts';
import { shownText } from '../wire/text/shown-text.ts';

interface Rule {
  status: number;
  /** The code in the API, if it differs from the internal one. */
  code?: string;
  /** Says in a header whether the API's clients should retry. By default, they repeat a 409. */
  shouldRetry?: boolean;
  /**
   * False if the error depends on the rights of the caller's key. Then the error is not stored, so a repeated request
   * with another key does not get it.
   */
  isKept?: false;
}

const rules = {
  ARCHIVED_PRODUCT_IN_CART: { status: 422, code: 'PRODUCT_IS_DELETED' },
  BRAND_MISMATCH: { status: 422 },
  CHECKOUT_SESSION_CONSUMED: { status: 409, shouldRetry: false },
  CHECKOUT_SESSION_EXPIRED: { status: 410 },
  CONFLICT: { status: 409, shouldRetry: false },
  DISCOUNT_CODE_ALREADY_EXISTS: { status: 409, shouldRetry: false },
  DISCOUNT_CODE_EXPIRED: { status: 422 },
  DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED: { status: 422 },
  DISCOUNT_CONCURRENT_REDEMPTION: { status: 503, shouldRetry: true },
  DISCOUNT_CURRENCY_OPTION_INVALID: { status: 422 },
  DISCOUNT_CUSTOMER_NOT_ELIGIBLE: { status: 422 },
  DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET: { status: 422 },
  DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT: { status: 422 },
  DISCOUNT_NOT_COMBINABLE: { status: 422 },
  DISCOUNT_NOT_YET_ACTIVE: { status: 422 },
  DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED: { status: 422 },
  DUPLICATE_LINE_ITEMS_IN_REQUEST: { status: 422 },
  FORBIDDEN: { status: 403, code: 'UNAUTHORIZED' },
  EXCHANGE_RATE_NOT_FOUND: { status: 422 },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, shouldRetry: true },
  IDEMPOTENCY_KEY_REUSED: { status: 422 },
  INTEGER_CONVERSION_FAILURE: { status: 422 },
  INTERNAL_SERVER_ERROR: { status: 500 },
  INACTIVE_LICENSE_KEY: { status: 403 },
  INVALID_DISCOUNT_CODE: { status: 422 },
  INVALID_MAXIMUM_PRICE: { status: 422 },
  INVALID_PERCENTAGE: { status: 422 },
  INVALID_QUERY_PARAMS: { status: 422 },
  INVALID_REQUEST_BODY: { status: 422 },
  INVALID_REQUEST_PARAMETERS: { status: 422 },
  INVALID_SUGGESTED_PRICE: { status: 422 },
  INVALID_TAX_ID: { status: 422 },
  LICENSE_KEY_ALREADY_EXISTS: { status: 409, shouldRetry: false },
  LICENSE_KEY_INSTANCE_NOT_FOUND: { status: 404 },
  LICENSE_KEY_LIMIT_REACHED: { status: 422 },
  LICENSE_KEY_NOT_FOUND: { status: 404 },
  LINE_ITEM_FULLY_REFUNDED: { status: 422 },
  LINE_ITEM_NOT_FOUND: { status: 422 },
  LINE_ITEM_REFUND_AMOUNT_TOO_HIGH: { status: 422 },
  LINE_ITEM_REFUND_AMOUNT_TOO_LOW: { status: 422 },
  LIVE_MODE_TEST_CARD: { status: 422 },
  LOCALIZED_PRICE_ALREADY_EXISTS: { status: 409, shouldRetry: false },
  LOCALIZED_PRICE_DUPLICATES_BASE: { status: 422 },
  LOCALIZED_PRICE_SHAPE_MISMATCH: { status: 422 },
  MAXIMUM_KEYS_REACHED: { status: 422 },
  MERCHANT_NOT_LIVE: { status: 403 },
  METHOD_NOT_ALLOWED: { status: 405 },
  NOTHING_TO_REFUND: { status: 422 },
  NOT_FOUND: { status: 404 },
  PARTIAL_REFUND_NOT_ALLOWED: { status: 422 },
  PAYLOAD_TOO_LARGE: { status: 413 },
  PAYMENT_ALREADY_REFUNDED: { status: 422 },
  PAYMENT_DISPUTED: { status: 422 },
  PAYMENT_NOT_SUCCEEDED: { status: 422 },
  PAY_AS_YOU_WANT_AMOUNT_REQUIRED: { status: 422 },
  PRODUCT_CART_EMPTY: { status: 422 },
  PRODUCT_IS_DELETED: { status: 410 },
  PRODUCT_PRICING_MODE_REQUIRED: { status: 422 },
  REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT: { status: 422 },
  REFUND_LIMIT_EXCEEDED: { status: 422, isKept: false },
  REFUND_WINDOW_EXPIRED: { status: 422 },
  REQUEST_AMOUNT_ABOVE_MAXIMUM: { status: 422 },
  REQUEST_AMOUNT_BELOW_MINIMUM: { status: 422 },
  SERVICE_UNAVAILABLE: { status: 503, shouldRetry: true },
  TOO_MANY_REQUESTS: { status: 429 },
  TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT: { status: 422 },
  UNAUTHORIZED: { status: 401 },
  UNPARSABLE_BODY: { status: 400, code: 'INVALID_REQUEST_BODY' },
  UNSUPPORTED_COUNTRY: { status: 422 },
  UNSUPPORTED_CURRENCY: { status: 422 },
  UNSUPPORTED_DISCOUNT_TYPE: { status: 422 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415 },
  UNSUPPORTED_TAX_CATEGORY: { status: 422 },
  WRONG_MODE: { status: 401 },
  ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED: { status: 422 },
} as const satisfies Record<ErrorCode, Rule>;

/** A response as bytes. It is sent, and can be stored for a repeated request. */
export interface HttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

/** Every error code of the product. */
export const errorCodes = Object.keys(rules) as ErrorCode[];

export const ruleOf = (code: ErrorCode): Rule => rules[code];

/** Turns an error into `application/problem+json`. An unexpected error reveals no details. */
export function presentProblem(error: unknown, request: { path: string; requestId: string }): HttpResponse {
  const known = toDomainError(error);
  const { status, code = known.code, shouldRetry } = ruleOf(known.code);
  const { extra = {}, allowedMethods } = known.details;
  const message = shownText(known.message);
  const faults = (known.details.faults ?? []).slice(0, 20).map(shownFault);
  const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
  if (shouldRetry !== undefined) headers['x-should-retry'] = String(shouldRetry);
  if (allowedMethods) headers['allow'] = allowedMethods.join(', ');
  Object.assign(headers, retryHeaders(known));
  const body = {
    type: `urn:tillstack:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: code.toLowerCase().replaceAll('_', ' '),
    status,
    detail: message,
    instance: shownText(request.path),
    code,
    message,
    param: faults[0]?.path || null,
    errors: faults,
    request_id: request.requestId,
    ...extra,
  };
  return { statusCode: status, headers, body: JSON.stringify(body) };
}

const shownFault = ({ path, message }: Fault) => ({ path: shownText(path), message: shownText(message) });

/** The headers that say after how long the same request may be sent again. Empty if that cannot help. */
export function retryHeaders({ code, details }: DomainError): Record<string, string> {
  const { status, shouldRetry } = ruleOf(code);
  return needsRetryAfter(status, shouldRetry) ? { 'retry-after': String(details.retryAfterSeconds ?? 1) } : {};
}

const needsRetryAfter = (status: number, shouldRetry: boolean | undefined): boolean =>
  status === 429 || status === 503 || (status === 409 && shouldRetry === true);

export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return new DomainError(
    'INTERNAL_SERVER_ERROR',
    'Something went wrong on our side. Try again, or report the request id.',
    { cause: error },
  );
}

/**
 * Whether the request was understood, but refused for business reasons. Such a response is stored, and a repeated
 * request with the same key gets it again.
 */
export function isRefusal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError)) return false;
  const { status, shouldRetry, isKept = true } = ruleOf(error.code);
  return [404, 409, 410, 422].includes(status) && shouldRetry !== true && isKept;
}
