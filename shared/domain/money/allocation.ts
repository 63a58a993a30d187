import { multiplyDivide, proportion } from './rounding.ts';

/**
 * Divides `total` in proportion to `weights` by largest remainder. Ties go to the earlier share. The shares always
 * sum to `total`.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((subtotal, weight) => subtotal + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const parts = weights.map((weight, index) => ({ index, ...multiplyDivide(total, weight, sum) }));
  const shares = parts.map((part) => part.quotient);
  const missing = total - shares.reduce((subtotal, share) => subtotal + share, 0);
  const neediest = parts.toSorted((a, b) => b.remainder - a.remainder || a.index - b.index).slice(0, missing);
  for (const { index, quotient } of neediest) shares[index] = quotient + 1;
  return shares;
}

/** Divides `total` like `allocate`, but with weights that are too large for a double. */
export function allocateWide(total: number, weights: readonly bigint[]): number[] {
  const sum = weights.reduce((so, weight) => so + weight, 0n);
  if (sum === 0n) return weights.map(() => 0);
  const parts = weights.map((weight, index) => ({ index, product: BigInt(total) * weight }));
  const shares = parts.map(({ product }) => Number(product / sum));
  const missing = total - shares.reduce((so, share) => so + share, 0);
  const neediest = parts.toSorted((a, b) => compare(b.product % sum, a.product % sum) || a.index - b.index);
  for (const { index } of neediest.slice(0, missing)) shares[index] = (shares[index] as number) + 1;
  return shares;
}

const compare = (a: bigint, b: bigint): number => (a === b ? 0 : a < b ? -1 : 1);

/** Divides `amount` over `capacities` by a running total. Every part is between 0 and its capacity. */
export function allocateNested(amount: number, capacities: readonly number[]): number[] {
  let rest = amount;
  let room = capacities.reduce((subtotal, capacity) => subtotal + capacity, 0);
  return capacities.map((capacity) => {
    const share = proportion(capacity, rest, room);
    rest -= share;
    room -= capacity;
    return share;
  });
}
