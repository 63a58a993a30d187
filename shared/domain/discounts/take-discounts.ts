import type { Price } from '../catalogue/price.ts';
import { lineAmount } from '../checkout/priced-item.ts';
import { DomainError, faultAt, refuse } from '../errors.ts';
import { allocate } from '../money/allocation.ts';
import { sum } from '../money/money.ts';
import { proportion } from '../money/rounding.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import type { DiscountCurrency, DiscountTerms } from './discount-terms.ts';

/** A line before any code. Its amount is the displayed one, or the one that the buyer chose. */
export interface ListedLine {
  productId: string;
  price: Price;
  quantity: number;
  unitAmount: number;
}

/** How much codes take off a cart. `lines` and `codes` have the same sum. */
export interface TakenDiscounts {
  /** The discount of each line. */
  lines: number[];
  /** The discount of each code, in the order of the codes. A code that takes nothing off is not redeemed. */
  codes: number[];
}

const basisPoints = 10_000;

/**
 * Applies the codes to the entered amounts, each to what the earlier codes left. Tax plays no part, so the result is
 * the same in every place. A chosen price never falls below its minimum unless the code allows it.
 */
export function takeDiscounts(
  lines: readonly ListedLine[],
  codes: readonly DiscountTerms[],
  currency: string,
): TakenDiscounts {
  const listed = lines.map(lineAmount);
  const left = [...listed];
  const taken = codes.map((code, index) => {
    const members = eligibleLines(lines, code, index);
    const terms = termsIn(currency, code, index);
    assertSubtotal(sum(members.map((line) => listed[line] as number)), terms, index);
    const amounts = members.map((line) => left[line] as number);
    const rooms = members.map((line, at) => roomOf(lines[line] as ListedLine, amounts[at] as number, code));
    const shares = code.type === 'flat' ? flatShares(code, terms, rooms) : percentShares(code, terms, amounts, rooms);
    for (const [at, line] of members.entries()) left[line] = (left[line] as number) - (shares[at] as number);
    return sum(shares);
  });
  return { lines: listed.map((amount, index) => amount - (left[index] as number)), codes: taken };
}

/** Refuses several codes if one of them may only be used alone. */
export function assertCombinable(codes: readonly Pick<DiscountTerms, 'code' | 'combinable'>[]): void {
  const index = codes.length > 1 ? codes.findIndex(({ combinable }) => combinable === false) : -1;
  const code = codes[index]?.code;
  if (code === undefined) return;
  const message = `The code ${code} cannot be used together with other codes.`;
  throw new DomainError('DISCOUNT_NOT_COMBINABLE', message, {
    faults: [{ path: pathOf(index), message }],
    discountCode: code,
  });
}

/**
 * Refuses a code that may only be used alone, that applies to no line of a cart, or not in its currency. This works before the amounts are known.
 */
export function assertUsable(
  lines: readonly Pick<ListedLine, 'productId'>[],
  codes: readonly DiscountTerms[],
  currency: string,
): void {
  assertCombinable(codes);
  for (const [index, code] of codes.entries()) {
    eligibleLines(lines, code, index);
    termsIn(currency, code, index);
  }
}

/** Divides a flat code over all lines of the cart. No line gets a larger discount than it has room for. */
const flatShares = (code: DiscountTerms, terms: DiscountCurrency | undefined, rooms: readonly number[]): number[] =>
  allocate(Math.min(terms?.maximum ?? code.amount, sum(rooms)), rooms);

/**
 * Divides a percentage over its lines, after rounding it half up once. If a line's minimum limits its share, other
 * lines do not get the rest.
 */
function percentShares(
  code: DiscountTerms,
  terms: DiscountCurrency | undefined,
  amounts: readonly number[],
  rooms: readonly number[],
): number[] {
  const reduction = proportion(sum(amounts), code.amount, basisPoints);
  const shares = allocate(Math.min(reduction, terms?.maximum ?? reduction), amounts);
  return shares.map((share, at) => Math.min(share, rooms[at] as number));
}

/** The most by which a code may lower a line. */
const roomOf = ({ price, quantity }: ListedLine, left: number, { belowMinimum }: DiscountTerms): number =>
  Math.max(0, left - (belowMinimum || price.kind === 'fixed' ? 0 : price.minimum * quantity));

/** Whether codes have reduced a chosen price to its minimum. The codes cannot reduce it further. */
export const isHeldAtMinimum = (line: ListedLine, taken: number, codes: readonly DiscountTerms[]): boolean =>
  line.price.kind === 'pay_what_you_want' &&
  line.price.minimum > 0 &&
  lineAmount(line) - taken === line.price.minimum * line.quantity &&
  codes.some(({ belowMinimum, restrictedTo }) => !belowMinimum && isFor(line, restrictedTo));

function eligibleLines(
  lines: readonly Pick<ListedLine, 'productId'>[],
  { code, restrictedTo }: DiscountTerms,
  index: number,
): number[] {
  const members = [...lines.keys()].filter((line) => isFor(lines[line] as ListedLine, restrictedTo));
  if (members.length > 0) return members;
  throw refuse('DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT', pathOf(index), `The code ${code} is not for these products.`);
}

const isFor = ({ productId }: Pick<ListedLine, 'productId'>, restrictedTo: readonly string[]): boolean =>
  restrictedTo.length === 0 || restrictedTo.includes(productId);

/** The terms of a code in a currency; undefined if the code has no terms by currency at all. Nothing is converted. */
function termsIn(currency: string, { code, currencies }: DiscountTerms, index: number): DiscountCurrency | undefined {
  const terms = currencies.find((one) => one.currency === currency);
  if (terms !== undefined || currencies.length === 0) return terms;
  throw refuse('EXCHANGE_RATE_NOT_FOUND', pathOf(index), `The code ${code} is not valid in ${currency}.`);
}

/** Checks the minimum subtotal, which refers to the list prices before any code. */
function assertSubtotal(listed: number, terms: DiscountCurrency | undefined, index: number): void {
  const minimum = terms?.minimumSubtotal ?? 0;
  if (listed >= minimum) return;
  const rule = brokenRule(sentences.discount_minimum, { least: minimum, currency: terms?.currency ?? '' });
  const faults = [faultAt(pathOf(index), rule)];
  throw new DomainError('DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET', rule, { faults, extra: { minimum_amount: minimum } });
}

const pathOf = (index: number): string => `discount_codes[${index}]`;
