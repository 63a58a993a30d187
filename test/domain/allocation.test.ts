import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { allocate, allocateNested } from '../../shared/domain/money/allocation.ts';
import { sum } from '../../shared/domain/money/money.ts';
import { campaign } from '../support/seeded.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 30_000) });

const amount = fc.nat(2_147_483_647);
const weights = fc.array(amount, { minLength: 1, maxLength: 20 });

describe('allocate', () => {
  it.each([
    { total: 100, weights: [1, 1, 1], shares: [34, 33, 33] }, // the tie goes to the earlier line
    { total: 1, weights: [0, 5], shares: [0, 1] },
    { total: 5, weights: [0, 0], shares: [0, 0] },
  ])('divides $total into $shares', ({ total, weights, shares }) => expect(allocate(total, weights)).toEqual(shares));

  it('keeps the sum, and gives no part more than its weight when the weights add up to at least the amount', () => {
    fc.assert(
      fc.property(weights, amount, (parts, part) => {
        const total = sum(parts) === 0 ? 0 : part % (sum(parts) + 1);
        const shares = allocate(total, parts);
        expect(sum(shares)).toBe(total);
        expect(shares.filter((share, index) => !(share >= 0 && share <= parts[index]!))).toEqual([]);
      }),
      { numRuns: campaign(50_000, 1_500) },
    );
  });

  it('differs from the exact share by less than one unit', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 1 }), fc.nat(10_000), (parts, total) => {
        const whole = sum(parts);
        fc.pre(whole > 0);
        const differences = allocate(total, parts).map((share, index) => share - (total * parts[index]!) / whole);
        expect(differences.filter((difference) => !(Math.abs(difference) < 1))).toEqual([]);
      }),
    );
  });
});

describe('allocateNested', () => {
  it('distributes the whole amount within all limits, and no share shrinks while the amount grows', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { minLength: 1, maxLength: 4 }), (capacities) => {
        const wrong: object[] = [];
        let before = capacities.map(() => 0);
        for (let running = 0; running <= sum(capacities); running += 1) {
          const shares = allocateNested(running, capacities);
          const isWithin = shares.every((share, index) => share >= before[index]! && share <= capacities[index]!);
          if (sum(shares) !== running || !isWithin) wrong.push({ running, before, shares });
          before = shares;
        }
        expect(wrong).toEqual([]);
      }),
    );
  });
});
