import { ratesOf, taxesOf } from '../checkout/group-taxes.ts';
import type { TaxComponent } from '../checkout/tax.ts';
import { sum } from '../money/money.ts';
import { one } from '../money/rounding.ts';
import { leastNetOf } from './pay-what-you-want.ts';
import type { Price } from './price.ts';

/**
 * The price of a line with the minimum that these taxes require, so the merchant keeps the minimum net of every unit.
 * Rounding over a whole cart can reduce that by one minor unit.
 */
export function withTaxedMinimum<P extends Price>(price: P, quantity: number, components: readonly TaxComponent[]): P {
  const leastNet = leastNetOf(price);
  if (price.kind === 'fixed' || leastNet === undefined || !price.taxInclusive) return price;
  const least = leastGross({ leastNet, quantity, components });
  return { ...price, minimum: Math.max(price.minimum, least) };
}

/**
 * The smallest gross amount of a unit that leaves the minimum net. Rounding changes each tax by at most half a minor
 * unit. The net is therefore certain from half a minor unit for each tax above the exact amount; amounts below that
 * are tried one by one.
 */
export function leastGross({
  leastNet,
  quantity,
  components,
}: {
  leastNet: number;
  quantity: number;
  components: readonly TaxComponent[];
}): number {
  const rates = ratesOf(components);
  const grossOfOne = rates.reduce((total, rate) => total + rate, one);
  const needed = leastNet * quantity;
  const certainNet = 2n * BigInt(needed) + BigInt(rates.length);
  const keepsNet = (amount: number) => netAlone(amount * quantity, components) >= needed;
  let least = Number(quotientUp(certainNet * grossOfOne, 2n * one * BigInt(quantity)));
  while (least > 0 && keepsNet(least - 1)) least -= 1;
  return least;
}

/** The net of a gross amount, computed as for a sale with this one line. */
const netAlone = (amount: number, components: readonly TaxComponent[]): number =>
  amount - sum(taxesOf(components, [{ amount, taxInclusive: true }]).taxes);

const quotientUp = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator;
