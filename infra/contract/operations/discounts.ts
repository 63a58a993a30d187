import { DiscountQuery, GuestQuery } from '../../../shared/wire/discounts/discount.ts';
import {
  DiscountChangeInput,
  DiscountCustomersInput,
  DiscountInput,
} from '../../../shared/wire/discounts/discount-input.ts';
import type { Operations } from '../operation.ts';

const terms = [
  'NOT_FOUND',
  'INVALID_PERCENTAGE',
  'DISCOUNT_CURRENCY_OPTION_INVALID',
  'DISCOUNT_CODE_ALREADY_EXISTS',
  'INVALID_REQUEST_PARAMETERS',
] as const;

/** Codes that lower a price. */
export const discountOperations: Operations = {
  'discounts/create-discount': {
    summary: 'Create a discount code',
    description:
      'Creates a code. A percentage is in basis points: `1500` is 15 %. A flat code needs `currency_options`, with what it takes off in each currency. Without `code`, sixteen random letters and digits are used. A pay-what-you-want price never falls below its minimum, unless `below_minimum` is true. A code with `combinable: false` is used alone.',
    body: { DiscountInput },
    answer: 'Discount',
    refuses: terms,
  },
  'discounts/list-discounts': {
    summary: 'List discount codes',
    description: 'Lists codes, newest first, with their uses. Deleted ones are not listed.',
    query: DiscountQuery,
    answer: 'DiscountPage',
  },
  'discounts/get-discount': {
    summary: 'Get a discount code',
    description: 'Answers a code with its uses. Payments that are processing count.',
    answer: 'Discount',
  },
  'discounts/get-discount-by-code': {
    summary: 'Look up a discount code',
    description:
      'Answers the discount of a code, in any case, if it can be redeemed now. It is refused with the reason where its time is not come or over, or its uses are spent.',
    answer: 'Discount',
    refuses: ['DISCOUNT_CODE_EXPIRED', 'DISCOUNT_NOT_YET_ACTIVE', 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED'],
  },
  'discounts/update-discount': {
    summary: 'Update a discount code',
    description:
      'Changes the named fields. `null` clears what a code can be without, and keeps the rest. Checkout sessions that have the code keep its money terms and its time. Limits and eligibility hold at once. A limit below the uses is refused.',
    body: { DiscountChangeInput },
    answer: 'Discount',
    refuses: [...terms, 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED'],
  },
  'discounts/delete-discount': {
    summary: 'Delete a discount code',
    description: 'Stops a code at once, also in checkouts that have it. Payments keep it. The code can be used again.',
    answer: 'Nothing',
  },
  'discounts/list-discount-customers': {
    summary: 'List the customers of a discount code',
    description: 'Lists the customers who may use a code with `customer_eligibility` `specific`, newest first.',
    query: GuestQuery,
    answer: 'DiscountCustomerPage',
  },
  'discounts/add-discount-customers': {
    summary: 'Let customers use a discount code',
    description:
      'Adds customers by id, or by `emails`, from which their ids follow: somebody can be listed before the first purchase. Who is listed already stays so. Ids that nobody has yet are taken.',
    body: { DiscountCustomersInput },
    answer: 'DiscountCustomers',
  },
  'discounts/remove-discount-customer': {
    summary: 'Take a customer off a discount code',
    description: 'Takes a customer off the list. One who is not listed stays so.',
    answer: 'Nothing',
  },
};
