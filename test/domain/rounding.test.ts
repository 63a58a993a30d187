import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { one, proportion, rateTimesFraction, reduce, roundHalfUp } from '../../shared/domain/money/rounding.ts';

const rate = fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => (millionths / 1_000_000).toFixed(6));

/** The same rule in exact integers, for the comparison only. */
function exactHalfUp(amount: number, numerator: bigint, denominator: bigint): bigint {
  return (2n * BigInt(amount) * numerator + denominator) / (2n * denominator);
}

describe('roundHalfUp', () => {
  it.each([
    { gross: 3, rate: '0.2', tax: 1 }, // 0.5: an exact tie goes up
    { gross: 1999, rate: '0.255', tax: 406 }, // 406.17…
    { gross: 1000, rate: '0.026', tax: 25 }, // 25.34
    { gross: 99_999_999_999, rate: '0.27', tax: 21_259_842_519 },
  ])('takes a tax of $tax out of $gross at $rate', ({ gross, rate, tax }) => {
    const part = rateTimesFraction(rate, '1');
    expect(roundHalfUp(gross, reduce(part, one + part))).toBe(tax);
  });

  it('is exact for every amount up to 2^53 − 1 and every rate of six decimals, ties included', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), rate, (amount, percentage) => {
        const part = rateTimesFraction(percentage, '1');
        expect(BigInt(roundHalfUp(amount, reduce(part, one + part)))).toBe(exactHalfUp(amount, part, one + part));
      }),
      { numRuns: 20_000 },
    );
  });

  it('agrees with big.js at twenty decimals', () => {
    fc.assert(
      fc.property(fc.nat(2_147_483_647), rate, (amount, percentage) => {
        const part = rateTimesFraction(percentage, '1');
        const exact = new Big(amount).times(percentage).div(new Big(1).plus(percentage));
        expect(roundHalfUp(amount, reduce(part, one + part))).toBe(exact.round(0, Big.roundHalfUp).toNumber());
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['1e3', '-0.1', '0.1234567', '', '.5', '0,19', '1000'])('refuses %j as a tax rate', (text) => {
    expect(() => rateTimesFraction(text, '1')).toThrow(RangeError);
  });
});

describe('proportion', () => {
  it('is exact when the product is too large for a double', () => {
    // 2147483647 × 2147483646 / 2147483647
    expect(proportion(2_147_483_647, 2_147_483_646, 2_147_483_647)).toBe(2_147_483_646);
  });

  it('is 0 when the whole is 0', () => expect(proportion(0, 5, 0)).toBe(0));
});
