import type { LoadCodes } from '../domain/discounts/attached-discount.ts';
import { hasBought } from '../use-cases/discounts/has-bought.ts';
import type { EligibilityDeps } from '../use-cases/discounts/judge-code.ts';
import { codesIn } from '../use-cases/discounts/load-codes.ts';
import { discountGuests, discounts, paymentLists } from './runtime.ts';

/**
 * Reads discount codes for a sale. It is not in `runtime.ts`, so only the functions of checkouts have its code in their
 * bundle.
 */
export const loadCodes: LoadCodes = (codes) => codesIn(discounts())(codes);

/** The checks that decide who may use a restricted code. */
export const eligibility: EligibilityDeps = {
  hasBought: (customerId) => hasBought(paymentLists())(customerId),
  isGuest: (discountId, customerId) => discountGuests().has(discountId, customerId),
};
