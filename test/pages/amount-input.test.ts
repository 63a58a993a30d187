import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies } from '../../shared/domain/money/currency.ts';
import { maxAmount } from '../../shared/domain/money/money.ts';
import { amountText, exampleAmount, parseAmount } from '../../shared/pages/amount-input.ts';
import { formatMoney } from '../../shared/pages/format.ts';
import { type Locale, locales } from '../../shared/pages/locale.ts';

const read = (typed: string, currency: string, locale: Locale) => {
  const reading = parseAmount(typed, currency, locale);
  return 'fault' in reading ? reading.fault : reading.amount;
};

type Row = [typed: string, currency: string, locale: Locale, expected: number | string];

describe('the reader of amounts that people type', () => {
  it.each<Row>([
    ['15', 'EUR', 'en', 1_500],
    ['15.5', 'EUR', 'en', 1_550],
    ['15.50', 'EUR', 'en', 1_550],
    ['1,234.56', 'EUR', 'en', 123_456],
    ['1234.56', 'EUR', 'en', 123_456],
    ['1,234', 'EUR', 'en', 123_400],
    ['1,234,567.89', 'USD', 'en', 123_456_789],
    ['1,23,456.78', 'INR', 'en', 12_345_678],
    ['15,50', 'EUR', 'de', 1_550],
    ['1.234,56', 'EUR', 'de', 123_456],
    ['1.234', 'EUR', 'de', 123_400],
    ['1 234,56', 'EUR', 'fr', 123_456],
    ['1\u202F234,56', 'EUR', 'fr', 123_456],
    ['1\u00A0234,56', 'SEK', 'sv', 123_456],
    ['1.234,56', 'EUR', 'es', 123_456],
    ['1.234,56', 'BRL', 'pt', 123_456],
    ['1.234,56', 'EUR', 'it', 123_456],
    ['1.234,56', 'EUR', 'nl', 123_456],
    ['1 234,56', 'PLN', 'pl', 123_456],
    ['1,234', 'JPY', 'ja', 1_234],
    ['１，２３４', 'JPY', 'ja', 1_234],
    ['฿๑,๒๓๔.๕๐', 'THB', 'th', 123_450],
    ["1'234.50", 'CHF', 'de', 123_450],
    ['١٬٢٣٤٫٥٠', 'EUR', 'ar', 123_450],
    ['۱۲٫۵', 'EUR', 'ar', 1_250],
    ['\u200F1,234.50\u00A0\u200F₪', 'ILS', 'he', 123_450],
    ['￥１２．５０', 'CNY', 'zh', 1_250],
  ])('reads %j of %s in %s by the rules of the language', (typed, currency, locale, amount) => {
    expect(read(typed, currency, locale)).toBe(amount);
  });

  it.each<Row>([
    ['1.234,56', 'EUR', 'en', 123_456],
    ['1,234.56', 'EUR', 'de', 123_456],
    ['15,50', 'EUR', 'en', 1_550],
    ['15.50', 'EUR', 'de', 1_550],
    ['15.5', 'EUR', 'fr', 1_550],
    ['1.234.567', 'EUR', 'en', 123_456_700],
  ])(
    'reads %j of %s in %s, which is the format of another language but has only one meaning',
    (typed, currency, locale, amount) => {
      expect(read(typed, currency, locale)).toBe(amount);
    },
  );

  it.each<Row>([
    ['€15', 'EUR', 'en', 1_500],
    ['15 €', 'EUR', 'de', 1_500],
    ['EUR 15', 'EUR', 'de', 1_500],
    ['15 eur', 'EUR', 'fr', 1_500],
    ['$15.00', 'USD', 'en', 1_500],
    ['¥1,000', 'JPY', 'ja', 1_000],
    ['￥1000', 'JPY', 'ja', 1_000],
    [' 15 ', 'EUR', 'en', 1_500],
    ['0', 'EUR', 'en', 0],
    ['007', 'EUR', 'en', 700],
    ['.5', 'EUR', 'en', 50],
    ['15.', 'EUR', 'en', 1_500],
    ['150 kr', 'SEK', 'sv', 15_000],
    ['50 zł', 'PLN', 'pl', 5_000],
  ])('reads %j of %s in %s, with a currency sign or spaces', (typed, currency, locale, amount) => {
    expect(read(typed, currency, locale)).toBe(amount);
  });

  it.each<Row>([
    ['1.234', 'EUR', 'en', 'ambiguous'],
    ['1,234', 'EUR', 'de', 'ambiguous'],
    ['1.234', 'EUR', 'fr', 'ambiguous'],
    ['1.234', 'EUR', 'pl', 'ambiguous'],
    ['1.000', 'JPY', 'ja', 'ambiguous'],
    ['1,234', 'KWD', 'en', 'ambiguous'],
    ['1.234', 'KWD', 'de', 'ambiguous'],
    ['1.2345', 'EUR', 'en', 'too_precise'],
    ['0.500', 'EUR', 'en', 'too_precise'],
    ['1,234.567', 'EUR', 'en', 'too_precise'],
    ['12.5', 'JPY', 'ja', 'too_precise'],
    ['100.00', 'JPY', 'en', 'too_precise'],
    ['1.2345', 'KWD', 'en', 'too_precise'],
    ['21474836.48', 'EUR', 'en', 'too_large'],
    ['99999999999999999999', 'EUR', 'en', 'too_large'],
    ['2147483648', 'JPY', 'ja', 'too_large'],
  ])('refuses %j of %s in %s', (typed, currency, locale, fault) => {
    expect(read(typed, currency, locale)).toBe(fault);
  });

  it.each([
    ...['', ' ', 'ten', '-5', '+5', '1e3', '1E3', '0x10', '5%', '1/2', '5 5', '1 23', '12 34,5', '1..5', '1,,5'],
    ...['1.2.3', '1,2,3', '1,234.5.6', '1.234,56,7', '1,2345.00', '$5', '5£', '∞', 'NaN', '५', '1_000', '--', '.', ','],
  ])('refuses %j, which is not an amount', (typed) => {
    expect(read(typed, 'EUR', 'en')).toBe('malformed');
  });

  it.each<Row>([
    ['1.234', 'KWD', 'en', 1_234],
    ['1,234', 'KWD', 'de', 1_234],
    ['12.5', 'KWD', 'en', 12_500],
    ['1,234.567', 'KWD', 'en', 1_234_567],
    ['12', 'BHD', 'fr', 12_000],
  ])('reads %j of %s in %s with three decimals', (typed, currency, locale, amount) => {
    expect(read(typed, currency, locale)).toBe(amount);
  });

  it('reads every amount that the pages print, in every language and with any number of decimals', () => {
    const cases = [
      fc.integer({ min: 0, max: maxAmount }),
      fc.constantFrom('EUR', 'JPY', 'KWD', 'USD'),
      fc.constantFrom(...locales),
    ] as const;
    fc.assert(
      fc.property(...cases, (amount, currency, locale) => {
        expect(read(amountText(amount, currency, locale), currency, locale)).toBe(amount);
        expect(read(formatMoney(amount, currency, locale), currency, locale)).toBe(amount);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(locales)('reads the printed amounts of every currency in %s', (locale) => {
    const written = currencies.flatMap((currency) =>
      [0, 5, 1_234, 15_000, maxAmount].map((amount) => ({
        amount,
        currency,
        typed: formatMoney(amount, currency, locale),
      })),
    );
    expect(written.filter(({ amount, currency, typed }) => read(typed, currency, locale) !== amount)).toEqual([]);
  });

  it.each(locales)('accepts the example amount that the page shows in %s', (locale) => {
    for (const currency of ['EUR', 'JPY', 'KWD'])
      expect(read(exampleAmount(currency, locale), currency, locale)).toBeTypeOf('number');
  });
});
