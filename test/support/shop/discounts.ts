import type { DiscountTerms } from '../../../shared/domain/discounts/discount-terms.ts';
import type { ListedLine } from '../../../shared/domain/discounts/take-discounts.ts';

interface Listed {
  unitAmount: number;
  quantity?: number;
  /** The minimum of a chosen price, or null for a fixed price. */
  minimum?: number | null;
  taxInclusive?: boolean;
  currency?: string;
}

/** An order line before any discount. Its product is `pdt_0`, `pdt_1`, … */
export function listedLine(
  index: number,
  { unitAmount, quantity = 1, minimum = null, taxInclusive = true, currency = 'EUR' }: Listed,
): ListedLine {
  const common = { currency, taxInclusive };
  const price =
    minimum === null
      ? { kind: 'fixed' as const, ...common, unitAmount }
      : { kind: 'pay_what_you_want' as const, ...common, minimum, suggested: null, maximum: null };
  return { productId: `pdt_${index}`, price, quantity, unitAmount };
}

/** A discount of ten percent on everything by default. */
export const aCode = (terms: Partial<DiscountTerms> = {}): DiscountTerms => ({
  id: 'dsc_1',
  code: 'TENOFF',
  type: 'percentage',
  amount: 1_000,
  currencies: [],
  restrictedTo: [],
  belowMinimum: false,
  ...terms,
});
