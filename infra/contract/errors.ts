import type { ErrorCode } from '../../shared/domain/errors.ts';
import { ruleOf } from '../../shared/http/problem.ts';

/** When each error occurs, and what a client should do then. */
export const errorTexts: Readonly<Record<ErrorCode, string>> = {
  ARCHIVED_PRODUCT_IN_CART: 'A product in the cart is archived. Unarchive it, or take it out of the cart.',
  BRAND_MISMATCH: 'The cart has products of two brands. Create one checkout session for each brand.',
  CHECKOUT_SESSION_CONSUMED:
    'The checkout session has its payment, or its ten attempts are used. Read the session, or create a new one. Do not retry.',
  CHECKOUT_SESSION_EXPIRED: 'The checkout session is older than 24 hours. Create a new one.',
  CONFLICT:
    'The object is not in the expected state, or an expected amount has changed. Read it again, then decide. Do not retry.',
  DISCOUNT_CODE_ALREADY_EXISTS: 'Another discount has this code. Choose another one. Do not retry.',
  DISCOUNT_CODE_EXPIRED: 'The code is not valid any more.',
  DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED:
    'The code is used as often as its limit allows. Open payments count, and free their use when they fail.',
  DISCOUNT_CONCURRENT_REDEMPTION:
    'Too many buyers redeem this code at once. It may have room: send the same request again after `Retry-After` seconds.',
  DISCOUNT_CURRENCY_OPTION_INVALID:
    'A currency occurs twice, none or several are the default, or a flat code lacks an amount.',
  DISCOUNT_CUSTOMER_NOT_ELIGIBLE: 'The code is for new, for known or for chosen customers.',
  DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET: 'The products of the code cost less than its minimum, before any code.',
  DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT: 'The code is for products that the cart does not have.',
  DISCOUNT_NOT_COMBINABLE: 'One of the codes may only be used alone. The message names it.',
  DISCOUNT_NOT_YET_ACTIVE: 'The code is not valid yet.',
  DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED: 'The customer has used the code as often as one customer may.',
  DUPLICATE_LINE_ITEMS_IN_REQUEST: 'The refund names one line twice. Name each line once.',
  EXCHANGE_RATE_NOT_FOUND: 'The code has no terms in the currency of the cart. Nothing is converted.',
  FORBIDDEN:
    'The API key does not have the needed access, or the call does not come through the public address. Use another key or address.',
  IDEMPOTENCY_IN_PROGRESS:
    'The first request with this Idempotency-Key is still running. Send the same request again after `Retry-After` seconds.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key belongs to another request. Use a new key.',
  INACTIVE_LICENSE_KEY:
    'The licence key is disabled or expired, or its sale gives no access any more. Do not retry; the buyer can ask the seller.',
  INTEGER_CONVERSION_FAILURE: 'An amount is below 0 or above 2147483647. Send whole minor units in this range.',
  INTERNAL_SERVER_ERROR: 'A defect of the service. Try again, and report the `request_id` if it stays.',
  INVALID_DISCOUNT_CODE: 'There is no such code, or it was deleted.',
  INVALID_MAXIMUM_PRICE: '`maximum_price` is below the minimum or below `suggested_price`.',
  INVALID_PERCENTAGE: 'A percentage is above 10000 basis points.',
  INVALID_QUERY_PARAMS: 'A query parameter is unknown, malformed, repeated or excludes another. `errors` names it.',
  INVALID_REQUEST_BODY: 'The body does not match the schema. `errors` names each field and what is wrong with it.',
  INVALID_REQUEST_PARAMETERS: 'Fields contradict each other, or a limit is reached. The message says which.',
  INVALID_SUGGESTED_PRICE: '`suggested_price` is below the minimum.',
  INVALID_TAX_ID: 'The tax id is not valid, or `billing_address.country` is missing. Ask the buyer to check it.',
  LICENSE_KEY_ALREADY_EXISTS: 'Another licence key has this text. Every key has its own. Do not retry.',
  LICENSE_KEY_INSTANCE_NOT_FOUND: 'The licence key has no such instance.',
  LICENSE_KEY_LIMIT_REACHED:
    'The licence key is active on as many devices as its limit allows. Deactivate one of them first.',
  LICENSE_KEY_NOT_FOUND: 'There is no such licence key. Check the spelling.',
  LINE_ITEM_FULLY_REFUNDED: 'Nothing is left to refund on this line.',
  LINE_ITEM_NOT_FOUND: 'The payment has no such line. Use `items_id` of its line items.',
  LINE_ITEM_REFUND_AMOUNT_TOO_HIGH: 'The amount with its tax is above what is left of the line.',
  LINE_ITEM_REFUND_AMOUNT_TOO_LOW: 'The amount of a line must be at least 1.',
  LIVE_MODE_TEST_CARD:
    'A test card was sent where a processor takes the payment, or to a live stack. Leave `test_card` out.',
  LOCALIZED_PRICE_ALREADY_EXISTS: 'The product has a price for this currency or country. Change or archive that one.',
  LOCALIZED_PRICE_DUPLICATES_BASE: 'The currency is that of the product’s own price.',
  LOCALIZED_PRICE_SHAPE_MISMATCH: '`country_code` is required by country, and forbidden by currency.',
  MAXIMUM_KEYS_REACHED: 'The metadata has more than 50 keys.',
  MERCHANT_NOT_LIVE: 'The merchant takes no payments on this stack yet. Use the sandbox stack.',
  METHOD_NOT_ALLOWED: 'The path does not take this method. The `Allow` header names those that it takes.',
  NOTHING_TO_REFUND: 'A pending refund already holds the rest of the payment, or no tax is left.',
  NOT_FOUND: 'There is no such object, or no such path.',
  PARTIAL_REFUND_NOT_ALLOWED: 'The payment has too many partial refunds already. Refund the whole rest.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 256 kB, or the image is larger than 3 MB.',
  PAYMENT_ALREADY_REFUNDED: 'The payment is already refunded in full.',
  PAYMENT_DISPUTED: 'The buyer’s bank disputes the payment, and the processor refunds nothing of it.',
  PAYMENT_NOT_SUCCEEDED: 'Only a payment that has succeeded can be refunded.',
  PAY_AS_YOU_WANT_AMOUNT_REQUIRED: 'A pay-what-you-want line has no amount yet. Ask the buyer for it.',
  PRODUCT_CART_EMPTY: 'The cart has no product.',
  PRODUCT_IS_DELETED: 'The product is archived. Unarchive it first.',
  PRODUCT_PRICING_MODE_REQUIRED: 'Give the product a `pricing_mode` before it gets localized prices.',
  REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT: 'The amount is above what is refundable. Read `refundable_amount` of the payment.',
  REFUND_LIMIT_EXCEEDED:
    'The daily refund limit of the API key is reached. Use another key, or wait for the next UTC day.',
  REFUND_WINDOW_EXPIRED: 'The payment is older than the merchant’s refund window.',
  REQUEST_AMOUNT_ABOVE_MAXIMUM: 'The chosen amount is above the maximum of the price.',
  REQUEST_AMOUNT_BELOW_MINIMUM: 'The chosen amount is below the minimum of the price.',
  SERVICE_UNAVAILABLE: 'Nothing was changed. Send the same request again after `Retry-After` seconds.',
  TOO_MANY_REQUESTS: 'Too many requests. Try again after `Retry-After` seconds.',
  TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT:
    'The total is above 0 and below the least that cards are charged in this currency.',
  UNAUTHORIZED: 'The API key is missing, malformed, unknown, expired or revoked.',
  UNPARSABLE_BODY: 'The body is not valid JSON in UTF-8.',
  UNSUPPORTED_COUNTRY: 'The country is unknown, or the product is not sold there.',
  UNSUPPORTED_CURRENCY: 'The currency is not supported.',
  UNSUPPORTED_DISCOUNT_TYPE: 'A code is `percentage` or `flat`.',
  UNSUPPORTED_MEDIA_TYPE: 'The body must be sent uncompressed as `application/json`.',
  UNSUPPORTED_TAX_CATEGORY: 'The tax category is unknown.',
  WRONG_MODE: 'The API key belongs to the other mode: a test key on a live stack, or the reverse.',
  ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED: 'A payment of 0 has nothing to refund.',
};

/** The public code that clients see. */
export const wireCodeOf = (code: ErrorCode): string => ruleOf(code).code ?? code;

/** The errors that every call can get. */
const ofAll: readonly ErrorCode[] = ['FORBIDDEN', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'];
const ofKeys: readonly ErrorCode[] = ['UNAUTHORIZED', 'WRONG_MODE', 'MERCHANT_NOT_LIVE'];
const ofBodies: readonly ErrorCode[] = [
  'UNPARSABLE_BODY',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_REQUEST_BODY',
];
const ofRepetitions: readonly ErrorCode[] = [
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
  'INVALID_REQUEST_PARAMETERS',
];

interface Traits {
  hasKey: boolean;
  hasBody: boolean;
  hasQuery: boolean;
  hasParameter: boolean;
  isIdempotent: boolean;
}

/** The errors that are possible because of the form of an operation, such as a body or a query. */
export const errorsOfForm = (traits: Traits): readonly ErrorCode[] => [
  ...ofAll,
  ...(traits.hasKey ? ofKeys : []),
  ...(traits.hasBody ? ofBodies : []),
  ...(traits.hasQuery ? (['INVALID_QUERY_PARAMS'] as const) : []),
  ...(traits.hasParameter ? (['NOT_FOUND'] as const) : []),
  ...(traits.isIdempotent ? ofRepetitions : []),
];
