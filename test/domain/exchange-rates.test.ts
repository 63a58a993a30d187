import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleRates } from '../../infra/local/example-rates.ts';
import { isCurrency, minorUnitDigits } from '../../shared/domain/money/currency.ts';
import { convertAmount, crossRate, DayRates, ratesOfPair } from '../../shared/domain/money/exchange-rates.ts';

const published = ['EUR', ...Object.keys(exampleRates.perEuro).filter(isCurrency)];
const perEuro = (currency: string) => new Big(currency === 'EUR' ? 1 : (exampleRates.perEuro[currency] ?? 0));

/** The same by decimals, wide enough that the quotient's last place decides nothing. */
function oracle(amount: number, from: string, to: string): number {
  Big.DP = 40;
  const major = new Big(amount).div(new Big(10).pow(minorUnitDigits(from)));
  const converted = major
    .times(perEuro(to))
    .times(new Big(10).pow(minorUnitDigits(to)))
    .div(perEuro(from));
  return Number(converted.round(0, 1));
}

describe('converting an amount', () => {
  it.each([
    { amount: 1_000, from: 'USD', to: 'GBP', converted: 791 }, // 10.00 ÷ 1.0705 × 0.84638 = 7.9064
    { amount: -1_000, from: 'USD', to: 'GBP', converted: -791 },
    { amount: 1_000, from: 'EUR', to: 'PLN', converted: 4_309 }, // 10.00 × 4.3090
    { amount: 1_000, from: 'JPY', to: 'EUR', converted: 582 }, // 1000 ÷ 171.94 = 5.81598…
    { amount: 200, from: 'EUR', to: 'JPY', converted: 344 }, // 2.00 × 171.94 = 343.88
    { amount: 0, from: 'USD', to: 'SEK', converted: 0 },
    { amount: 777, from: 'USD', to: 'USD', converted: 777 },
  ])('$amount $from is $converted $to', ({ amount, from, to, converted }) => {
    expect(convertAmount(amount, exampleRates, { from, to })).toBe(converted);
  });

  it('rounds halves away from zero', () => {
    const rates = { date: '2026-03-02', source: 'a test', perEuro: { USD: '2', GBP: '1' } };
    expect([1, 3, -1, -3].map((amount) => convertAmount(amount, rates, { from: 'USD', to: 'GBP' }))).toEqual([
      1, 2, -1, -2,
    ]);
  });

  it('agrees with a decimal library for every pair of published currencies', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -2_147_483_647, max: 2_147_483_647 }),
        fc.constantFrom(...published),
        fc.constantFrom(...published),
        (amount, from, to) => {
          expect(convertAmount(amount, exampleRates, { from, to })).toBe(oracle(amount, from, to) + 0); // decimals know a -0
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('fails if one of the currencies has no rate', () => {
    expect(() => convertAmount(1, exampleRates, { from: 'AED', to: 'EUR' })).toThrow('do not convert AED to EUR');
  });
});

describe('the exchange rates of a pair of currencies', () => {
  it('convert like the full table of the day, and give the value of one unit', () => {
    const pair = { from: 'USD', to: 'GBP' };
    const rates = ratesOfPair(exampleRates, pair);
    expect(rates.perEuro).toEqual({ USD: '1.0705', GBP: '0.84638' });
    expect(crossRate(rates, pair)).toBe('0.79063989'); // 0.84638 ÷ 1.0705
    expect(crossRate(rates, { from: 'EUR', to: 'USD' })).toBe('1.0705');
  });

  it.each(['0', '0.000', '-1', '1e3', '1.1234567', '', '.5', '1,07'])('refuse %j as a rate', (rate) => {
    expect(DayRates.safeParse({ ...exampleRates, perEuro: { USD: rate } }).success).toBe(false);
  });
});
