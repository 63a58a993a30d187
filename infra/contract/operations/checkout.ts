import { testCards } from '../../../shared/outside/processor/sandbox/sandbox-cards.ts';
import { payInput, quoteInput } from '../../../shared/wire/checkout/checkout-json.ts';
import { PreviewInput, PreviewQuery, SessionInput } from '../../../shared/wire/checkout/checkout-session.ts';
import { CountriesQuery } from '../../../shared/wire/tax/tax-rules.ts';
import type { Operations } from '../operation.ts';

const numbers = testCards.map(({ number }) => number);
const PayInput = payInput(numbers);
const QuoteInput = quoteInput(numbers);

const carts = [
  'NOT_FOUND',
  'ARCHIVED_PRODUCT_IN_CART',
  'BRAND_MISMATCH',
  'REQUEST_AMOUNT_BELOW_MINIMUM',
  'REQUEST_AMOUNT_ABOVE_MAXIMUM',
  'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT',
  'UNSUPPORTED_COUNTRY',
  'UNSUPPORTED_CURRENCY',
  'INVALID_TAX_ID',
  'INVALID_REQUEST_PARAMETERS',
  'INTEGER_CONVERSION_FAILURE',
] as const;

const payable = [
  'PAY_AS_YOU_WANT_AMOUNT_REQUIRED',
  'REQUEST_AMOUNT_BELOW_MINIMUM',
  'REQUEST_AMOUNT_ABOVE_MAXIMUM',
  'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT',
  'UNSUPPORTED_COUNTRY',
  'UNSUPPORTED_CURRENCY',
  'INVALID_TAX_ID',
  'INVALID_REQUEST_PARAMETERS',
  'INTEGER_CONVERSION_FAILURE',
  'CHECKOUT_SESSION_CONSUMED',
  'CHECKOUT_SESSION_EXPIRED',
  'CONFLICT',
] as const;

/** The errors about a discount code. They can occur when the code is attached, and when it is used in a payment. */
const codes = [
  'INVALID_DISCOUNT_CODE',
  'DISCOUNT_CODE_EXPIRED',
  'DISCOUNT_NOT_YET_ACTIVE',
  'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED',
  'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET',
  'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT',
  'DISCOUNT_NOT_COMBINABLE',
  'EXCHANGE_RATE_NOT_FOUND',
] as const;

const redemptions = [
  ...codes,
  'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED',
  'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
  'DISCOUNT_CONCURRENT_REDEMPTION',
] as const;

/** The operations from a cart to a charge. */
export const checkoutOperations: Operations = {
  'checkout-sessions/create-checkout-session': {
    path: '/checkouts',
    summary: 'Create a checkout session',
    description:
      'Opens a checkout for a cart. Send the buyer to `checkout_url`. The session is valid for 24 hours, for one successful payment and ten attempts. It keeps the products as they are now.',
    body: { SessionInput },
    answer: 'SessionCreated',
    refuses: [...carts, ...codes, 'MERCHANT_NOT_LIVE'],
  },
  'checkout-sessions/preview-checkout-session': {
    summary: 'Preview the price of a cart',
    description:
      'Prices a cart for a place without storing anything. A pay-what-you-want line without `amount` is priced at `suggested_price`, or else at its minimum. A tax id that is not valid is reported in `tax_id_err_msg`, and a code that cannot be used in `discounts`.',
    body: { PreviewInput },
    query: PreviewQuery,
    answer: 'Preview',
    refuses: carts,
  },
  'checkout-sessions/get-checkout-session': {
    path: '/checkouts/{id}',
    summary: 'Get a checkout session',
    description: 'Answers the state of a session, with its successful or latest payment.',
    answer: 'Session',
  },
  'checkout-sessions/expire-checkout-session': {
    path: '/checkouts/{id}/expire',
    summary: 'Expire a checkout session',
    description:
      'Ends an open session now: its page can no longer be paid. Where the merchant has the event `checkout_session.expired`, it is sent as if the session had expired by itself. A session that has expired already stays as it is. One that is paid or being paid is refused.',
    answer: 'Session',
    refuses: ['CHECKOUT_SESSION_CONSUMED'],
  },
  'countries/list-supported-countries': {
    summary: 'List countries that are sold to',
    description: 'Lists the countries in which the merchant can sell, all tax categories or one.',
    query: CountriesQuery,
    answer: 'SupportedCountries',
  },
  'checkout/quote-checkout': {
    summary: 'Price an open checkout',
    description:
      'Prices an open session for an address, with the amounts that the buyer chose. It needs no API key: who knows the session can read it. Fields that the session has may be left out.',
    body: { QuoteInput },
    answer: 'Quote',
    refuses: [...payable, ...codes, 'TOO_MANY_REQUESTS'],
  },
  'checkout/pay-checkout': {
    summary: 'Pay a checkout',
    description:
      'Pays an open session without its page. In the sandbox, `test_card` decides the outcome. With a processor, the answer has a `next_action` with the address where the buyer pays. A declined card is an answer with `status` `failed`, not an error. With `expected_total` and `expected_currency`, another total or currency is refused before anything is charged. A code that cannot be redeemed any more refuses the payment: the buyer is never charged a higher price unasked. Send an `Idempotency-Key`: a repetition has the same answer, also a decline, and charges nothing. A new try needs a new key. A key belongs to its session.',
    body: { PayInput },
    answer: 'Charge',
    refuses: [...payable, ...redemptions, 'TOO_MANY_REQUESTS', 'LIVE_MODE_TEST_CARD', 'MERCHANT_NOT_LIVE'],
  },
};
