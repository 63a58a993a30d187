import { describe, expect, it } from 'vitest';
import { maxAmount } from '../../shared/domain/money/money.ts';
import {
  currencySign,
  decimalOf,
  formatDate,
  formatMoney,
  formatRate,
  formatShortMoney,
  nameCountries,
} from '../../shared/pages/format.ts';
import { type Locale, locales } from '../../shared/pages/locale.ts';
import { countries } from '../../shared/tax/places/countries.ts';

/** Intl writes several kinds of space. */
const plain = (text: string) => text.replace(/[\u00A0\u202F]/g, ' ').replace(/￥/g, '¥');

type Row = [amount: number, currency: string, locale: Locale, expected: string];

describe('the format of money', () => {
  it.each<Row>([
    [123_456, 'EUR', 'en', '€1,234.56'],
    [123_456, 'EUR', 'de', '1.234,56 €'],
    [123_456, 'EUR', 'fr', '1 234,56 €'],
    [123_456, 'EUR', 'es', '1234,56 €'],
    [123_456, 'EUR', 'pt', '1234,56 €'],
    [123_456, 'EUR', 'it', '1234,56 €'],
    [123_456, 'EUR', 'nl', '€ 1.234,56'],
    [123_456, 'SEK', 'sv', '1 234,56 kr'],
    [123_456, 'PLN', 'pl', '1234,56 zł'],
    [1_234, 'JPY', 'ja', '¥1,234'],
    [1_234, 'KWD', 'en', 'KWD 1.234'],
    [5, 'EUR', 'en', '€0.05'],
    [0, 'JPY', 'en', '¥0'],
    [maxAmount, 'EUR', 'en', '€21,474,836.47'],
  ])('writes %i minor units of %s in %s as %s', (amount, currency, locale, expected) => {
    expect(plain(formatMoney(amount, currency, locale))).toBe(expected);
  });

  it.each([
    // CLDR gives these no minor units, ISO 4217 gives them two.
    ['HUF', 'HUF 12.34'],
    ['IDR', 'IDR 12.34'],
    // CLDR gives it two, ISO 4217 none.
    ['UGX', 'UGX 1,234'],
  ])('has the minor units of ISO 4217 for %s', (currency, expected) => {
    expect(plain(formatMoney(1_234, currency, 'en'))).toBe(expected);
  });

  it('inserts the decimal point into the digits without floating-point arithmetic', () => {
    expect([decimalOf(5, 'EUR'), decimalOf(5, 'JPY'), decimalOf(5, 'KWD'), decimalOf(maxAmount, 'KWD')]).toEqual([
      '0.05',
      '5',
      '0.005',
      '2147483.647',
    ]);
  });

  it.each([
    [-5, 'EUR', 'en', '−€0.05'],
    [-50, 'KWD', 'en', '−KWD 0.050'],
    [-5, 'JPY', 'de', '−5 ¥'],
    [-119, 'EUR', 'de', '−1,19 €'],
  ] as const)(
    'writes a negative amount of %d minor units of %s with a minus sign in %s',
    (amount, currency, locale, expected) => {
      expect(plain(formatMoney(amount, currency, locale))).toBe(expected);
    },
  );

  it.each(['ar', 'he'] as const)(
    'keeps the letters of a currency code before its sign in a right-to-left language: %s',
    (locale) => {
      const shown = ['USD', 'CAD', 'JPY', 'EUR'].map((currency) => formatMoney(1_900, currency, locale));
      for (const money of shown) expect(money).not.toMatch(/[A-Z]+[$¥](?!\u200E)/);
      expect(shown.join()).toMatch(/CA\$\u200E/);
    },
  );

  it('knows the position of the currency sign', () => {
    expect(currencySign('EUR', 'en')).toEqual({ sign: '€', isFirst: true });
    expect(currencySign('EUR', 'de')).toEqual({ sign: '€', isFirst: false });
  });
});

describe('the format of rates, dates and countries', () => {
  it.each([
    ['0.19', 'en', '19%'],
    ['0.09975', 'fr', '9,975\u00a0%'],
    ['0.055', 'de', '5,5\u00a0%'],
    ['0', 'en', '0%'],
    ['0.0625', 'ja', '6.25%'],
  ] as const)('writes a rate of %s in %s as %s', (rate, locale, expected) => {
    expect(formatRate(rate, locale)).toBe(expected);
  });

  it('writes the month as a word, so month and day cannot be confused', () => {
    expect([formatDate('2026-03-01T23:30:00Z', 'en'), formatDate('2026-03-01T23:30:00Z', 'de')]).toEqual([
      'March 1, 2026',
      '1. März 2026',
    ]);
  });

  it('writes the year of invoice numbers and forms in every language', () => {
    for (const locale of locales) expect(formatDate('2026-11-27T12:00:00Z', locale)).toContain('2026');
  });

  it('writes the same minus sign in charts as in tables', () => {
    for (const locale of locales) expect(formatShortMoney(-1_250, 'EUR', locale)).toMatch(/\u2212/);
  });

  it('sorts countries by name in the order of the language', () => {
    const names = nameCountries(countries, 'sv').map(({ name }) => name);
    expect(names.indexOf('Åland')).toBeGreaterThan(names.indexOf('Zambia'));
    expect(nameCountries(countries, 'de').find(({ code }) => code === 'JP')?.name).toBe('Japan');
    expect(new Set(names).size).toBe(countries.length);
  });
});
