import { multiplyDivide, proportion } from './rounding.ts';

/** Shares out `total` in proportion to `weights` by largest remainder, ties to the earlier; the shares always sum to `total`. */
export function allocate(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((so, weight) => so + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const parts = weights.map((weight, index) => ({ index, ...multiplyDivide(total, weight, sum) }));
  const shares = parts.map((part) => part.quotient);
  const missing = total - shares.reduce((so, share) => so + share, 0);
  const neediest = parts.toSorted((a, b) => b.remainder - a.remainder || a.index - b.index).slice(0, missing);
  for (const { index, quotient } of neediest) shares[index] = quotient + 1;
  return shares;
}

/** Shares out `amount` over `capacities` cut from a running total, so that every part lies between 0 and its capacity. */
export function allocateNested(amount: number, capacities: readonly number[]): number[] {
  let rest = amount;
  let room = capacities.reduce((so, capacity) => so + capacity, 0);
  return capacities.map((capacity) => {
    const share = proportion(capacity, rest, room);
    rest -= share;
    room -= capacity;
    return share;
  });
}
