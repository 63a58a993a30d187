import Big from 'big.js';
import { describe, expect, it } from 'vitest';
import { currencies, minorUnitDigits } from '../../../../shared/domain/money/currency.ts';
import { maxAmount } from '../../../../shared/domain/money/money.ts';
import { fromStripe, limits, toStripe } from '../../../../shared/outside/processor/stripe/amounts.ts';

/** Decimals of Stripe's amounts, written down a second time from its page on currencies. */
const stripeDigits = (currency: string): number => {
  if (/^(BIF|CLP|DJF|GNF|JPY|KMF|KRW|MGA|PYG|RWF|VND|VUV|XAF|XOF|XPF)$/.test(currency)) return 0;
  return /^(BHD|JOD|KWD|OMR|TND)$/.test(currency) ? 3 : 2;
};

/** The largest amount at Stripe: eight digits, and twelve in Indonesian rupiahs. */
const mostAtStripe = (currency: string): number => (currency === 'IDR' ? 999_999_999_999 : 99_999_999);

const money = (amount: number, digits: number): string => new Big(amount).div(new Big(10).pow(digits)).toString();

/** Sources disagree on their unit, so the processor refuses them. */
const uncertain = ['IQD', 'LYD', 'UGX'];
const charged = currencies.filter((currency) => !uncertain.includes(currency));

const rangeOf = (currency: string) => {
  const known = limits(currency);
  if (!known) throw new Error(`${currency} is not charged.`);
  return known;
};

describe('an amount sent to Stripe', () => {
  it.each(uncertain)('is refused in the currency %s', (currency) => {
    expect(limits(currency)).toBeUndefined();
    expect(() => toStripe(1_000, currency)).toThrow('cannot charge');
    expect(() => fromStripe(1_000, currency.toLowerCase())).toThrow('not certain');
  });

  it.each(charged)(
    'keeps its value when it is sent and read back in %s: charge, refund, dispute and fee',
    (currency) => {
      const { minimum, maximum, step } = rangeOf(currency);
      for (const amount of [step, minimum, 7 * step, 1_234 * step, maximum - step, maximum]) {
        const theirs = toStripe(amount, currency);
        expect(money(theirs, stripeDigits(currency))).toBe(money(amount, minorUnitDigits(currency)));
        expect(fromStripe(theirs, currency.toLowerCase())).toEqual({ amount, currency });
        expect(theirs).toBeLessThanOrEqual(mostAtStripe(currency));
      }
    },
  );

  it.each(charged)('in %s may be up to the maximum of Stripe or of our 32-bit integers', (currency) => {
    const { maximum, step, unit } = rangeOf(currency);
    expect(maximum + step > maxAmount || (maximum + step) / unit > mostAtStripe(currency)).toBe(true);
  });

  it('ends in 0 in currencies with three decimals, and is a whole number in currencies without decimals', () => {
    expect(toStripe(12_340, 'KWD')).toBe(12_340);
    expect(() => toStripe(12_345, 'KWD')).toThrow('cannot charge');
    expect(toStripe(123_400, 'MGA')).toBe(1_234);
    expect(() => toStripe(123_450, 'MGA')).toThrow('cannot charge');
    expect(toStripe(500, 'JPY')).toBe(500);
  });
});
