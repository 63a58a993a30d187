/** An error of the API, with advice for an integrator. */
export interface ErrorAdvice {
  status: number;
  code: string;
  when: string;
  /** What the integrator should do about the error. */
  advice: string;
}

const advise = (status: number, code: string, when: string, advice: string): ErrorAdvice => ({
  status,
  code,
  when,
  advice,
});

/**
 * What an integrator should do about each error of the API. docs/errors.md is made from this list. A test compares it
 * with the error codes of the product.
 */
// biome-ignore format: one line is one error
export const errorAdvice: readonly ErrorAdvice[] = [
  advise(400, 'INVALID_REQUEST_BODY', 'The body is not JSON.', 'Send valid JSON in UTF-8, not compressed.'),
  advise(401, 'UNAUTHORIZED', 'The key is missing, unknown, revoked or expired.', 'Check the key, or create another one.'),
  advise(401, 'WRONG_MODE', 'A sandbox key is used on a live stack, or the other way round.', 'Use the key and the address of the same stage.'),
  advise(403, 'MERCHANT_NOT_LIVE', 'The live stack takes no payments yet.', 'Use the sandbox until the merchant has gone live: see the guide “Going live”.'),
  advise(403, 'UNAUTHORIZED', 'The key is not allowed to do this.', 'Use a key with more access, one that may refund, or one that does not expire: the message says which. Keep admin keys out of the shop.'),
  advise(404, 'NOT_FOUND', 'The id or the path does not exist on this stack.', 'Check the id. Ids of the sandbox do not exist on the live stack.'),
  advise(405, 'METHOD_NOT_ALLOWED', 'The path does not take this method.', 'Use a method that the header Allow lists.'),
  advise(409, 'CHECKOUT_SESSION_CONSUMED', 'The session has its payment, or its ten attempts are used.', 'Read the session to find its payment, or open another session.'),
  advise(409, 'CONFLICT', 'Something has changed since you read it, or the object is disabled.', 'Read it again, decide again, and send a new request.'),
  advise(409, 'DISCOUNT_CODE_ALREADY_EXISTS', 'Another discount has this code.', 'Choose another code, or update the discount that has it.'),
  advise(409, 'IDEMPOTENCY_IN_PROGRESS', 'The first request with this Idempotency-Key has not ended.', 'Wait as long as Retry-After says, and send the same request again.'),
  advise(410, 'CHECKOUT_SESSION_EXPIRED', 'The session is older than 24 hours.', 'Open another session.'),
  advise(410, 'PRODUCT_IS_DELETED', 'The product is archived already, and cannot be changed.', 'Unarchive it first.'),
  advise(413, 'PAYLOAD_TOO_LARGE', 'The body or the image is too large.', 'Send less: the message names the limit.'),
  advise(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body is not sent as JSON.', 'Send the header content-type: application/json.'),
  advise(422, 'BRAND_MISMATCH', 'The cart has products of two brands.', 'Open one session for each brand.'),
  advise(422, 'DISCOUNT_CODE_EXPIRED', 'The code was valid until an earlier moment.', 'Offer another code, or open the session without one.'),
  advise(422, 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED', 'The code was used as often as it can be. Payments under way count.', 'Show the price without the code, and ask the buyer again.'),
  advise(422, 'DISCOUNT_CURRENCY_OPTION_INVALID', 'The currencies of a flat code contradict each other.', 'Name each currency once, one of them the default, each with max_amount_possible.'),
  advise(422, 'DISCOUNT_CUSTOMER_NOT_ELIGIBLE', 'The code is for other customers.', 'Check the e-mail address, or show the price without the code.'),
  advise(422, 'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET', 'The cart is below the least that the code asks for.', 'Add to the cart, or show the price without the code.'),
  advise(422, 'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT', 'The code is for none of the products in the cart.', 'Show the price without the code.'),
  advise(422, 'DISCOUNT_NOT_COMBINABLE', 'One of several codes may only be used alone. The message names it.', 'Use that code alone, or leave it out. `combinable` of the code allows it with others.'),
  advise(422, 'DISCOUNT_NOT_YET_ACTIVE', 'The code is valid from a later moment.', 'Try again when it begins, or open the session without it.'),
  advise(422, 'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED', 'This customer has used the code as often as one customer may.', 'Show the price without the code.'),
  advise(422, 'DUPLICATE_LINE_ITEMS_IN_REQUEST', 'The refund names a line twice.', 'Name each line once, with the sum of its amounts.'),
  advise(422, 'EXCHANGE_RATE_NOT_FOUND', 'A flat code does not take anything off in the currency of the cart.', 'Add the currency to the code’s currency_options, or use a percentage.'),
  advise(422, 'IDEMPOTENCY_KEY_REUSED', 'Another request was sent with this Idempotency-Key.', 'Use a new key for each operation, and repeat a request unchanged.'),
  advise(422, 'INTEGER_CONVERSION_FAILURE', 'An amount or a total is out of range.', 'Send minor units (cents) between 0 and 2147483647.'),
  advise(422, 'INVALID_DISCOUNT_CODE', 'No discount has this code.', 'Check the spelling: small and capital letters are the same.'),
  advise(422, 'INVALID_MAXIMUM_PRICE', 'The maximum is below the minimum or the suggestion.', 'Make maximum_price the largest of the three, or leave it out.'),
  advise(422, 'INVALID_PERCENTAGE', 'A code takes off more than everything.', 'Send basis points: 1000 is 10 %, and 10000 is the most.'),
  advise(422, 'INVALID_QUERY_PARAMS', 'A query parameter is unknown, repeated or wrong.', 'Correct the parameter that param names. Lists have page_size, page_number and cursor.'),
  advise(422, 'INVALID_REQUEST_BODY', 'A field is missing, unknown or wrong.', 'Correct each field that errors lists.'),
  advise(422, 'INVALID_REQUEST_PARAMETERS', 'Two fields contradict each other, or a rule forbids the value.', 'Read the message: it names the rule. Nothing was changed.'),
  advise(422, 'INVALID_SUGGESTED_PRICE', 'The suggestion is below the minimum.', 'Send a suggested_price of at least price.'),
  advise(422, 'INVALID_TAX_ID', 'The tax id does not have the form of its country.', 'Ask the buyer to correct it, or sell without it: then the tax is charged.'),
  advise(403, 'INACTIVE_LICENSE_KEY', 'The licence key is disabled, expired, or its sale was refunded or is disputed.', 'Ask the seller, or buy a key.'),
  advise(404, 'LICENSE_KEY_INSTANCE_NOT_FOUND', 'The licence key has no such instance.', 'Use the id that the activation answered.'),
  advise(404, 'LICENSE_KEY_NOT_FOUND', 'No licence key has this text.', 'Check the spelling.'),
  advise(409, 'LICENSE_KEY_ALREADY_EXISTS', 'Another licence key has this text.', 'Choose another key.'),
  advise(422, 'LICENSE_KEY_LIMIT_REACHED', 'The key is active on as many devices as its limit allows.', 'Deactivate it on one of them first.'),
  advise(422, 'LINE_ITEM_FULLY_REFUNDED', 'Nothing is left to refund on this line.', 'Read the line items: refundable_amount says what is left.'),
  advise(422, 'LINE_ITEM_NOT_FOUND', 'The payment has no such line.', 'Use an items_id of GET /payments/{payment_id}/line-items as item_id.'),
  advise(422, 'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH', 'The amount is more than is left on the line.', 'Refund at most the refundable_amount of the line.'),
  advise(422, 'LINE_ITEM_REFUND_AMOUNT_TOO_LOW', 'The amount is below 1.', 'Send at least 1 minor unit, or leave the line out.'),
  advise(422, 'LIVE_MODE_TEST_CARD', 'A test card is used where a processor takes the payment, or on a live stack.', 'Leave test_card out, and send the buyer to the checkout_url.'),
  advise(409, 'LOCALIZED_PRICE_ALREADY_EXISTS', 'The product has a price for this currency or country.', 'Change that one with PATCH, or archive it with DELETE first.'),
  advise(422, 'LOCALIZED_PRICE_DUPLICATES_BASE', 'The product’s own price is in this currency.', 'Change the price of the product.'),
  advise(422, 'LOCALIZED_PRICE_SHAPE_MISMATCH', 'A country is missing, or one too many.', 'Send country_code where pricing_mode is by_country, and only there.'),
  advise(422, 'MAXIMUM_KEYS_REACHED', 'The metadata has more than 50 keys.', 'Keep the rest in your own database, under the id of the object.'),
  advise(422, 'NOTHING_TO_REFUND', 'A pending refund holds the rest, or no tax is left.', 'Wait until the pending refund has ended.'),
  advise(422, 'PARTIAL_REFUND_NOT_ALLOWED', 'The payment has as many partial refunds as are possible.', 'Refund all that is left in one refund.'),
  advise(422, 'PAYMENT_ALREADY_REFUNDED', 'The payment is refunded in full.', 'Nothing is to be done: list the refunds of the payment.'),
  advise(422, 'PAYMENT_DISPUTED', 'The buyer’s bank disputes the payment.', 'Answer the dispute. The bank returns the money if you win.'),
  advise(422, 'PAYMENT_NOT_SUCCEEDED', 'The payment has not succeeded, so there is nothing to return.', 'Wait for payment.succeeded, or leave it as it is.'),
  advise(422, 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED', 'The buyer has not chosen an amount.', 'Send it in amounts, or let the buyer choose on the checkout page.'),
  advise(422, 'PRODUCT_CART_EMPTY', 'The cart has no lines.', 'Send at least one line in product_cart.'),
  advise(422, 'PRODUCT_IS_DELETED', 'A product of the cart is archived.', 'Unarchive the product, or take it out of the cart.'),
  advise(422, 'PRODUCT_PRICING_MODE_REQUIRED', 'The product has no pricing_mode.', 'Send pricing_mode by_currency or by_country with PATCH /products/{id} first.'),
  advise(422, 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT', 'The amount is more than is left of the payment.', 'Preview the refund first: refundable says what is left.'),
  advise(422, 'REFUND_LIMIT_EXCEEDED', 'The key has refunded its limit for today.', 'Wait until midnight UTC, or use a key without this limit.'),
  advise(422, 'REFUND_WINDOW_EXPIRED', 'The payment is older than the merchant’s time for refunds.', 'Ask the merchant: the stack’s configuration has the number of days.'),
  advise(422, 'REQUEST_AMOUNT_ABOVE_MAXIMUM', 'The chosen amount is above the maximum.', 'Ask the buyer for at most maximum_price for each unit.'),
  advise(422, 'REQUEST_AMOUNT_BELOW_MINIMUM', 'The chosen amount is below the minimum.', 'Ask the buyer for at least price for each unit.'),
  advise(422, 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT', 'The total is less than processors charge in this currency.', 'Raise the price or the quantity: the message names the least total. A total of 0 is possible.'),
  advise(422, 'UNSUPPORTED_COUNTRY', 'The country does not exist, or its tax is not known for the product.', 'See GET /checkout/supported_countries for what is sold where.'),
  advise(422, 'UNSUPPORTED_CURRENCY', 'The currency is not one of ISO 4217, or the processor does not charge in it.', 'Use another currency for the product.'),
  advise(422, 'UNSUPPORTED_DISCOUNT_TYPE', 'This kind of discount does not exist here.', 'Use one of the kinds that the message lists.'),
  advise(422, 'UNSUPPORTED_TAX_CATEGORY', 'The tax category is unknown.', 'Use one that the message lists.'),
  advise(422, 'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED', 'The payment was free.', 'Nothing is to be done: no money was taken.'),
  advise(429, 'TOO_MANY_REQUESTS', 'Too many requests arrived.', 'Wait as long as Retry-After says.'),
  advise(500, 'INTERNAL_SERVER_ERROR', 'Something went wrong on the stack.', 'Send the request again under the same Idempotency-Key. If it happens again, tell the operator the request id.'),
  advise(503, 'DISCOUNT_CONCURRENT_REDEMPTION', 'Very many buyers redeem this code at once. Nothing was charged.', 'Wait as long as Retry-After says, and send the request again.'),
  advise(503, 'SERVICE_UNAVAILABLE', 'The stack or the processor is busy. Nothing was changed.', 'Wait as long as Retry-After says, and send the request again under the same Idempotency-Key.'),
];

/** The advice for an error; undefined for a code that the API does not have. */
export const adviceFor = (status: number, code: string): string | undefined =>
  errorAdvice.find((one) => one.status === status && one.code === code)?.advice;
