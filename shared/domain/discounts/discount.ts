import * as z from 'zod';
import { Metadata } from '../catalogue/product.ts';
import { DomainError, refuse } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { type DiscountCurrency, DiscountTerms } from './discount-terms.ts';

export const eligibilities = ['any', 'first_time', 'existing', 'specific'] as const;

/**
 * A code that lowers a price. A deleted one is kept, because payments refer to it, but the API no longer returns it.
 */
export const Discount = DiscountTerms.extend({
  name: z.string().nullable(),
  usageLimit: z.int().min(1).nullable(),
  perCustomerLimit: z.int().min(1).nullable(),
  /** The code is valid from this instant. `expiresAt` is the first instant at which it is no longer valid. */
  startsAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  eligibility: z.enum(eligibilities),
  metadata: Metadata,
  /**
   * Fields about subscriptions, which Tillstack does not have. They are stored and returned as they were sent,
   * without effect.
   */
  keptOnPlanChange: z.boolean(),
  cycles: z.int().nullable(),
  createdAt: z.string(),
  deletedAt: z.string().nullable(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type Discount = z.infer<typeof Discount>;

/** The short fields of a code, which lists and searches use. */
export const DiscountBrief = Discount.pick({
  id: true,
  code: true,
  type: true,
  restrictedTo: true,
  startsAt: true,
  expiresAt: true,
  usageLimit: true,
  createdAt: true,
  name: true,
});
export type DiscountBrief = z.infer<typeof DiscountBrief>;

/** A code and how often it was used. */
export interface CountedDiscount {
  discount: Discount;
  /** The number of uses, including payments that have not ended. */
  used: number;
}

type Settable = Omit<Discount, 'id' | 'createdAt' | 'deletedAt' | 'version'>;

/** The terms by currency, as sent. If there are several, one must be the default. */
export type SentCurrency = Omit<DiscountCurrency, 'isDefault'> & { isDefault: boolean | undefined };

export type DiscountFields = Omit<Settable, 'currencies'> & { currencies: SentCurrency[] };

/** What an update may change. Missing fields keep their values. */
export type DiscountChange = Partial<DiscountFields>;

export const newDiscount = (fields: DiscountFields, { id, now }: { id: string; now: string }): Discount =>
  judged({ ...fields, id, createdAt: now, deletedAt: null, version: 0 });

/** Applies a change and checks the result. Sessions that already have the code keep its money terms. */
export const changeDiscount = (discount: Discount, change: DiscountChange): Discount =>
  judged({ ...discount, ...change });

export const deleteDiscount = (discount: Discount, now: string): Discount => ({ ...discount, deletedAt: now });

function judged(discount: Omit<Discount, 'currencies'> & Pick<DiscountFields, 'currencies'>): Discount {
  const { usageLimit, perCustomerLimit, startsAt, expiresAt } = discount;
  if (usageLimit !== null && perCustomerLimit !== null && perCustomerLimit > usageLimit)
    throw refuse('INVALID_REQUEST_PARAMETERS', 'per_customer_usage_limit', brokenRule(sentences.discount_limits));
  if (startsAt !== null && expiresAt !== null && startsAt >= expiresAt)
    throw refuse('INVALID_REQUEST_PARAMETERS', 'expires_at', brokenRule(sentences.discount_end));
  const currencies = oneDefault(discount.currencies);
  return discount.type === 'flat' ? flat({ ...discount, currencies }) : percentage({ ...discount, currencies });
}

const wholePercent = 10_000;

function percentage(discount: Discount): Discount {
  if (discount.amount <= wholePercent) return discount;
  throw refuse('INVALID_PERCENTAGE', 'amount', brokenRule(sentences.discount_percentage, { most: wholePercent }));
}

/**
 * Completes the terms of a flat code. It needs its amount off in each currency; for the default currency, `amount` can
 * give it.
 */
function flat(discount: Discount): Discount {
  const { amount, currencies } = discount;
  if (currencies.length === 0)
    throw refuse('DISCOUNT_CURRENCY_OPTION_INVALID', 'currency_options', brokenRule(sentences.discount_currencies));
  const rows = currencies.map((row) => ({ ...row, maximum: row.maximum ?? (row.isDefault ? amount : null) }));
  const missing = rows.findIndex(({ maximum }) => maximum === null);
  if (missing >= 0)
    throw refuse(
      'DISCOUNT_CURRENCY_OPTION_INVALID',
      `currency_options[${missing}].max_amount_possible`,
      brokenRule(sentences.discount_amounts),
    );
  return { ...discount, amount: rows.find(({ isDefault }) => isDefault)?.maximum ?? amount, currencies: rows };
}

/**
 * Checks that each currency has one row, and that one row is the default. If there is only one row, it becomes the
 * default.
 */
function oneDefault(rows: readonly SentCurrency[]): DiscountCurrency[] {
  const names = rows.map(({ currency }) => currency);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  const defaults = rows.filter(({ isDefault }) => isDefault === true).length;
  const isClear = rows.length < 2 ? true : defaults === 1;
  if (twice < 0 && isClear)
    return rows.map((row) => ({ ...row, isDefault: row.isDefault === true || rows.length === 1 }));
  const path = twice < 0 ? 'currency_options' : `currency_options[${twice}].currency`;
  const rule = twice < 0 ? sentences.discount_default : sentences.discount_currency_twice;
  throw refuse('DISCOUNT_CURRENCY_OPTION_INVALID', path, brokenRule(rule));
}

/** Why a code cannot be redeemed at an instant; undefined if its dates allow it. */
export function timeFault(
  { startsAt, expiresAt }: Pick<Discount, 'startsAt' | 'expiresAt'>,
  now: string,
): 'DISCOUNT_NOT_YET_ACTIVE' | 'DISCOUNT_CODE_EXPIRED' | undefined {
  if (startsAt !== null && now < startsAt) return 'DISCOUNT_NOT_YET_ACTIVE';
  return expiresAt !== null && now >= expiresAt ? 'DISCOUNT_CODE_EXPIRED' : undefined;
}

const faultTexts = {
  DISCOUNT_NOT_YET_ACTIVE: 'is not valid yet.',
  DISCOUNT_CODE_EXPIRED: 'has expired.',
  DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED: 'has been used as often as it can be.',
  DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED: 'has been used by this customer as often as it can be.',
  DISCOUNT_CUSTOMER_NOT_ELIGIBLE: 'is not for this customer.',
  INVALID_DISCOUNT_CODE: 'is not valid.',
} as const;
export type RedemptionFault = keyof typeof faultTexts;

/** The error for a refused code. An unknown code and a deleted one get the same answer. */
export const refuseCode = (fault: RedemptionFault, code: string, path: string): DomainError =>
  new DomainError(fault, `The code ${code} ${faultTexts[fault]}`, {
    faults: [{ path, message: `The code ${code} ${faultTexts[fault]}` }],
    discountCode: code,
  });

/** Whether a code can be redeemed at an instant, after this number of uses. */
export const isActive = (discount: DiscountBrief, used: number, now: string): boolean =>
  timeFault(discount, now) === undefined && (discount.usageLimit === null || used < discount.usageLimit);
