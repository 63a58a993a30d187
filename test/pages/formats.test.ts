import { expect, it } from 'vitest';
import { netUnitPrice } from '../../shared/domain/documents/net-unit-price.ts';
import { minorUnitDigits, paidCurrencies } from '../../shared/domain/money/currency.ts';
import { maxAmount } from '../../shared/domain/money/money.ts';
import {
  currencySign,
  decimalOf,
  formatCount,
  formatMoney,
  formatRate,
  formatUnitPrice,
  nameCountries,
} from '../../shared/pages/format.ts';
import { formatTag } from '../../shared/pages/formats/format-tag.ts';
import { listCountries } from '../../shared/pages/formats/list-countries.ts';
import { type Locale, locales } from '../../shared/pages/locale.ts';
import { alsoTaxed, countries } from '../../shared/tax/places/countries.ts';
import { isRightToLeft } from '../../shared/texts/texts.ts';

type Decimal = `${number}`;

/** Our pages write a real minus sign in every language. */
const withMinus = (text: string): string => text.replace('-', '\u2212');

/** Where text is read from the right, our pages add a mark after a currency's sign. */
const marked = (text: string, locale: Locale): string =>
  withMinus(isRightToLeft(locale) ? text.replace(/[A-Z]+[^\p{L}\s\d]/u, '$&\u200E') : text);

it.each(locales)('money in %s is written as `Intl` writes it, in every currency', (locale) => {
  for (const currency of paidCurrencies) {
    const digits = minorUnitDigits(currency);
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const intl = new Intl.NumberFormat(formatTag(locale), { style: 'currency', currency, ...fraction });
    for (const amount of [0, 5, 99, 1_000, 99_999, 100_000, 123_456, 1_000_000, 98_765_432, maxAmount, -1, -123_456]) {
      const expected = intl.format(decimalOf(amount, currency) as Decimal);
      expect([currency, formatMoney(amount, currency, locale)]).toEqual([currency, marked(expected, locale)]);
    }
    const parts = intl.formatToParts(0);
    const at = (type: string): number => parts.findIndex((part) => part.type === type);
    expect(currencySign(currency, locale)).toEqual({
      sign: parts[at('currency')]?.value,
      isFirst: at('currency') < at('integer'),
    });
  }
});

it.each(locales)('prices per unit in %s are written as `Intl` writes them, with the separators of money', (locale) => {
  for (const currency of paidCurrencies) {
    const fraction = { minimumFractionDigits: minorUnitDigits(currency), maximumFractionDigits: 4 };
    const intl = new Intl.NumberFormat(formatTag(locale), { style: 'currency', currency, ...fraction });
    for (const [net, quantity] of [
      [4_999, 3],
      [5_000, 2],
      [1, 7],
      [123_456_789, 8],
    ] as const) {
      const price = netUnitPrice(net, quantity, currency);
      const expected = marked(intl.format(price as Decimal), locale);
      expect([price, formatUnitPrice(price, currency, locale)]).toEqual([price, expected]);
    }
  }
});

it.each(locales)('numbers and rates in %s are written as `Intl` writes them', (locale) => {
  const counts = new Intl.NumberFormat(formatTag(locale));
  for (const count of [0, 7, 12, 999, 1_000, 9_999, 10_000, 123_456, 1_234_567, -1, -1_000, -12_345])
    expect(formatCount(count, locale)).toBe(withMinus(counts.format(count)));
  const percent = new Intl.NumberFormat(formatTag(locale), { style: 'percent', maximumFractionDigits: 4 });
  for (const rate of ['0', '0.0', '1', '0.19', '0.2', '0.075', '0.09975', '0.000001', '0.0625', '0.999999', '1.06']) {
    expect([rate, formatRate(rate, locale)]).toEqual([rate, percent.format(rate as Decimal)]);
  }
});

it.each(locales)('the countries in %s have the names and the order of `Intl`', (locale) => {
  for (const codes of [countries, [...countries, ...alsoTaxed], ['DE', 'XK']])
    expect(listCountries(codes, locale)).toEqual(nameCountries(codes, locale));
  expect(listCountries(['DE', 'ZZ'], locale)).toEqual(nameCountries(['DE', 'ZZ'], locale));
});
