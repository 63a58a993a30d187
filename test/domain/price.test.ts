import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PayWhatYouWant } from '../../shared/domain/catalogue/pay-what-you-want.ts';
import { assertPrice, assertTotal, type Price, unitAmountOf } from '../../shared/domain/catalogue/price.ts';
import { currencies, currencyFloor } from '../../shared/domain/money/currency.ts';
import { assertAmount, maxAmount } from '../../shared/domain/money/money.ts';

const fixed: Price = { kind: 'fixed', currency: 'EUR', taxInclusive: true, unitAmount: 1_999 };
const chosen = (limits: Partial<PayWhatYouWant> = {}): PayWhatYouWant => ({
  kind: 'pay_what_you_want',
  currency: 'EUR',
  taxInclusive: true,
  minimum: 500,
  suggested: null,
  maximum: null,
  ...limits,
});
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('a price', () => {
  it.each([
    [{}],
    [{ suggested: 500 }],
    [{ suggested: 1_500 }],
    [{ maximum: 500 }],
    [{ suggested: 1_500, maximum: 1_500 }],
    [{ minimum: 0, suggested: 0, maximum: 0 }],
    [{ minimum: maxAmount, suggested: maxAmount, maximum: maxAmount }],
    [{ presetAmounts: [] }],
    [{ presetAmounts: [500, 501, 600, 700, 800, 900], maximum: 900 }],
    [{ presetAmounts: [0, 500], allowZero: true as const }],
    [{ presetAmounts: [0, 5], minimum: 0 }],
  ])('may have the limits %j', (limits) => {
    expect(() => assertPrice(chosen(limits))).not.toThrow();
  });

  it.each([
    [{ suggested: 499 }, 'INVALID_SUGGESTED_PRICE', 'price.suggested_price'],
    [{ suggested: 0 }, 'INVALID_SUGGESTED_PRICE', 'price.suggested_price'],
    [{ maximum: 499 }, 'INVALID_MAXIMUM_PRICE', 'price.maximum_price'],
    [{ suggested: 1_500, maximum: 1_499 }, 'INVALID_MAXIMUM_PRICE', 'price.maximum_price'],
    [{ presetAmounts: [499] }, 'INVALID_REQUEST_PARAMETERS', 'price.preset_amounts'],
    [{ presetAmounts: [0, 500] }, 'INVALID_REQUEST_PARAMETERS', 'price.preset_amounts'],
    [{ presetAmounts: [1, 500], allowZero: true as const }, 'INVALID_REQUEST_PARAMETERS', 'price.preset_amounts'],
    [{ presetAmounts: [901], maximum: 900 }, 'INVALID_REQUEST_PARAMETERS', 'price.preset_amounts'],
    [{ presetAmounts: [600, 500] }, 'INVALID_REQUEST_PARAMETERS', 'price.preset_amounts'],
    [{ presetAmounts: [500, 500] }, 'INVALID_REQUEST_PARAMETERS', 'price.preset_amounts'],
    [{ presetAmounts: [500, 501, 502, 503, 504, 505, 506] }, 'INVALID_REQUEST_PARAMETERS', 'price.preset_amounts'],
  ])('may not have the limits %j', (limits, expected, path) => {
    const details = expect.objectContaining({ faults: [expect.objectContaining({ path })] });
    expect(() => assertPrice(chosen(limits))).toThrow(expect.objectContaining({ code: expected, details }));
  });

  it('names each limit that does not fit', () => {
    const paths = ['price.suggested_price', 'price.maximum_price'];
    const details = expect.objectContaining({ faults: paths.map((path) => expect.objectContaining({ path })) });
    const refusal = expect.objectContaining({ code: 'INVALID_SUGGESTED_PRICE', details });
    expect(() => assertPrice(chosen({ suggested: 100, maximum: 100 }))).toThrow(refusal);
  });

  it('that is fixed must have no limits', () => {
    expect(() => assertPrice(fixed)).not.toThrow();
  });
});

describe('the unit amount', () => {
  it('of a fixed price is that price, even if the buyer sends another amount', () => {
    fc.assert(
      fc.property(fc.option(fc.integer()), (amount) => {
        expect(unitAmountOf(fixed, amount, 'amount')).toBe(1_999);
      }),
    );
  });

  it('is unknown until the buyer chooses it, even if the price suggests an amount', () => {
    expect(unitAmountOf(chosen({ suggested: 1_500 }), null, 'amount')).toBeNull();
  });

  it('is the buyer’s choice if it is within the limits, and is refused outside them', () => {
    const price = chosen({ maximum: 100_000 });
    const amount = fc.oneof(
      fc.integer({ min: 490, max: 510 }),
      fc.integer({ min: 99_990, max: 100_010 }),
      fc.integer({ min: 0, max: maxAmount }),
    );
    fc.assert(
      fc.property(amount, (choice) => {
        if (choice < 500) expect(() => unitAmountOf(price, choice, 'a')).toThrow(code('REQUEST_AMOUNT_BELOW_MINIMUM'));
        else if (choice > 100_000)
          expect(() => unitAmountOf(price, choice, 'a')).toThrow(code('REQUEST_AMOUNT_ABOVE_MAXIMUM'));
        else expect(unitAmountOf(price, choice, 'a')).toBe(choice);
      }),
      { numRuns: 1_000 },
    );
  });

  it('names the field and the limit when it is refused', () => {
    const message = expect.stringContaining('500');
    const faults = [expect.objectContaining({ path: 'product_cart[3].amount', message })];
    expect(() => unitAmountOf(chosen(), 499, 'product_cart[3].amount')).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ faults }) }),
    );
  });

  it.each([1, 250, 499])('may be 0 or at least the minimum when the price allows 0, but not %i', (between) => {
    const price = chosen({ allowZero: true });
    expect([0, 500].map((amount) => unitAmountOf(price, amount, 'a'))).toEqual([0, 500]);
    expect(() => unitAmountOf(price, between, 'a')).toThrow(
      expect.objectContaining({
        code: 'REQUEST_AMOUNT_BELOW_MINIMUM',
        message: 'The minimum is 500, or 0 (EUR, minor units).',
        details: expect.objectContaining({ extra: { minimum_amount: 500 } }),
      }),
    );
  });

  it('may be 0 when the minimum is 0', () => {
    expect(unitAmountOf(chosen({ minimum: 0 }), 0, 'amount')).toBe(0);
  });
});

describe('a total', () => {
  it.each(currencies)('in %s is 0 or at least the currency’s minimum', (currency) => {
    const floor = currencyFloor(currency);
    expect(() => assertTotal(0, currency)).not.toThrow();
    expect(() => assertTotal(Math.max(1, floor), currency)).not.toThrow();
    if (floor > 1)
      for (const total of [1, floor - 1])
        expect(() => assertTotal(total, currency)).toThrow(code('TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT'));
  });
});

describe('an amount in minor units', () => {
  it.each([0, 1, maxAmount - 1, maxAmount])('may be %i', (amount) => {
    expect(() => assertAmount(amount, 'amount')).not.toThrow();
  });

  it.each([-1, maxAmount + 1, 2 ** 53, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('may not be %d', (amount) => {
    expect(() => assertAmount(amount, 'amount')).toThrow(code('INTEGER_CONVERSION_FAILURE'));
  });
});
