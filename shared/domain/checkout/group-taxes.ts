import { allocate, allocateWide } from '../money/allocation.ts';
import { sum } from '../money/money.ts';
import { type Fraction, one, quotientHalfUp, rateTimesFraction, reduce, roundHalfUp } from '../money/rounding.ts';
import type { TaxComponent } from './tax.ts';

/** The tax of each component, rounded once, and each line's share of it. */
interface GroupTaxes {
  taxes: number[];
  lineTaxes: number[];
}

/** An amount as entered, with or without its tax. */
interface Entered {
  amount: number;
  taxInclusive: boolean;
}

/** Taxes lines together. Each component is rounded half up once, then allocated to the lines by largest remainder. */
export function taxesOf(components: readonly TaxComponent[], lines: readonly Entered[]): GroupTaxes {
  const taxInclusive = lines.every((line) => line.taxInclusive);
  if (!taxInclusive && lines.some((line) => line.taxInclusive)) return mixedTaxes(components, lines);
  const amounts = lines.map(({ amount }) => amount);
  const entered = sum(amounts);
  const taxes = sharesOfTax(components, taxInclusive).map((share) => (share ? roundHalfUp(entered, share) : 0));
  return { taxes, lineTaxes: allocate(sum(taxes), amounts) };
}

/**
 * Taxes inclusive and exclusive lines together. An exclusive amount counts as the exact gross that it results in, so
 * each tax is rounded once. Lines share the tax in proportion to that gross.
 */
function mixedTaxes(components: readonly TaxComponent[], lines: readonly Entered[]): GroupTaxes {
  const rates = ratesOf(components);
  const grossOfOne = rates.reduce((total, rate) => total + rate, one);
  const grosses = lines.map(({ amount, taxInclusive }) => BigInt(amount) * (taxInclusive ? one : grossOfOne));
  const gross = grosses.reduce((total, part) => total + part, 0n);
  const taxes = rates.map((rate) => quotientHalfUp(rate * gross, one * grossOfOne));
  return { taxes, lineTaxes: allocateWide(sum(taxes), grosses) };
}

const compiled = new Map<string, (Fraction | null)[]>();

/**
 * Each component's tax as a fraction of the entered amount. For a gross amount it is `rf / (1 + S)`, for a net amount
 * `rf`. Null if a reason says that no tax is charged.
 */
function sharesOfTax(components: readonly TaxComponent[], taxInclusive: boolean): (Fraction | null)[] {
  const rated = components.map((c) => (c.reason === null && c.rate !== null ? `${c.rate} ${c.baseFraction}` : '-'));
  const key = `${taxInclusive} ${rated.join('+')}`;
  const known = compiled.get(key);
  if (known) return known;
  const rates = components.map(rateOf);
  const whole = taxInclusive ? rates.reduce<bigint>((total, rate) => total + (rate ?? 0n), one) : one;
  const shares = rates.map((rate) => (rate === null ? null : reduce(rate, whole)));
  compiled.set(key, shares);
  return shares;
}

/**
 * Each component's tax as a fraction of the net, in units of 10⁻¹². It is 0 if a reason says that no tax is charged.
 */
export const ratesOf = (components: readonly TaxComponent[]): bigint[] =>
  components.map((component) => rateOf(component) ?? 0n);

/** A component's tax as a fraction of the net, in units of 10⁻¹². Null if a reason says that no tax is charged. */
const rateOf = ({ reason, rate, baseFraction }: TaxComponent): bigint | null =>
  reason === null && rate !== null ? rateTimesFraction(rate, baseFraction) : null;
