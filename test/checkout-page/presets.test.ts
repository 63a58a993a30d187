import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetsOf } from '../../shared/checkout-page/form/presets.ts';
import { maxAmount } from '../../shared/domain/money/money.ts';
import { payWhatYouWant } from '../pages/builders.ts';

const around = (suggested: number | null, minimum = 0, maximum: number | null = null) =>
  presetsOf({ ...payWhatYouWant, suggested, minimum, maximum });

describe('suggested amounts', () => {
  it.each([
    [1_500, [1_000, 1_500, 3_000]],
    [1_000, [500, 1_000, 2_000]],
    [900, [450, 900, 1_800]],
    [1_999, [1_000, 1_999, 3_998]],
    [1, [1, 2]],
  ])('are half of %i, the amount itself and twice the amount, as round numbers', (suggested, presets) => {
    expect(around(suggested)).toEqual(presets);
  });

  it('lie within the limits', () => {
    expect(around(1_500, 1_200, 2_000)).toEqual([1_200, 1_500, 2_000]);
  });

  it('begin with the lowest amount', () => {
    expect(around(1_500, 500)).toEqual([500, 1_000, 1_500, 3_000]);
    expect(around(1_500, 900)).toEqual([900, 1_500, 3_000]);
  });

  it('are multiples of the minimum when there is no suggestion, and empty without a minimum', () => {
    expect([around(null, 500), around(null), around(0)]).toEqual([[500, 1_000, 2_000], [], []]);
  });

  it.each([[[]], [[700]], [[500, 9_900]]])('are the merchant’s own amounts %j when they are set', (presetAmounts) => {
    expect(presetsOf({ ...payWhatYouWant, presetAmounts })).toEqual(presetAmounts);
  });

  it('leave out amounts below the minimum, and include zero only if it is allowed', () => {
    const own = { ...payWhatYouWant, minimum: 1_190, presetAmounts: [0, 1_000, 1_190, 2_000] };
    expect(presetsOf(own)).toEqual([1_190, 2_000]);
    expect(presetsOf({ ...own, allowZero: true })).toEqual([0, 1_190, 2_000]);
  });

  it('lie within the minimum and the maximum, for any limits, so each can be paid', () => {
    const amounts = fc.tuple(fc.nat(maxAmount), fc.nat(maxAmount), fc.nat(maxAmount));
    fc.assert(
      fc.property(amounts, (three) => {
        const [minimum = 0, suggested = 0, maximum = 0] = [...three].sort((a, b) => a - b);
        const presets = around(suggested, minimum, maximum);
        for (const amount of presets)
          expect(amount).toSatisfy(
            (one: number) => Number.isSafeInteger(one) && one >= minimum && one <= maximum && one > 0,
          );
        expect(presets.includes(suggested) || suggested === 0).toBe(true);
      }),
    );
  });
});
