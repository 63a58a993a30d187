import type { LoadCodes } from '../domain/discounts/attached-discount.ts';
import { hasBought } from '../use-cases/discounts/has-bought.ts';
import type { EligibilityDeps } from '../use-cases/discounts/judge-code.ts';
import { codesIn } from '../use-cases/discounts/load-codes.ts';
import { discountGuests, discounts, paymentLists } from './runtime.ts';

/** Discount codes for those who sell. It is separate from `runtime.ts`, so that only the functions of checkouts hold their code. */
export const loadCodes: LoadCodes = (codes) => codesIn(discounts())(codes);

/** Who may use a code that is not for everybody. */
export const eligibility: EligibilityDeps = {
  hasBought: (customerId) => hasBought(paymentLists())(customerId),
  isGuest: (discountId, customerId) => discountGuests().has(discountId, customerId),
};
