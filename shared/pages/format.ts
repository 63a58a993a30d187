import { minorUnitDigits } from '../domain/money/currency.ts';
import { isRightToLeft } from '../texts/texts.ts';
import { formatTag } from './formats/format-tag.ts';
import { moneyFormat, numberFormat, writeDecimal, writeMoney } from './formats/number-format.ts';
import type { Locale } from './locale.ts';

type Decimal = `${number}`;

/** How many, as the language writes numbers. */
export const formatCount = (count: number, locale: Locale): string => writeDecimal(String(count), numberFormat(locale));

/** Makes each thing once per key, as formatters are slow to make. */
function remembered<Thing>(make: (locale: Locale, detail: string) => Thing): (locale: Locale, detail: string) => Thing {
  const known = new Map<string, Thing>();
  return (locale, detail) => {
    const key = `${locale} ${detail}`;
    const thing = known.get(key) ?? make(locale, detail);
    known.set(key, thing);
    return thing;
  };
}

/** 123456 → `1234.56`: minor units as a decimal string, without arithmetic. */
export function decimalOf(amount: number, currency: string): Decimal {
  const digits = minorUnitDigits(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const unsigned = digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return (amount < 0 ? `-${unsigned}` : unsigned) as Decimal;
}

/** Minor units as the buyer's language writes money: `1.234,56 €`. */
export const formatMoney = (amount: number, currency: string, locale: Locale): string =>
  kept(writeMoney(decimalOf(amount, currency), currency, numberFormat(locale)), locale);

/** Keeps `US$` from being read as `$US` between words that are read from the right: a mark after its sign says that it goes on to the right. */
const kept = (money: string, locale: Locale): string =>
  isRightToLeft(locale) ? money.replace(/[A-Z]+[^\p{L}\s\d]/u, '$&\u200E') : money;

const shortMoneyFormat = remembered((locale, currency) => {
  const digits = minorUnitDigits(currency);
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(formatTag(locale), { ...style, ...fraction });
});

/** Minor units in as few characters as a chart has room for: `€1,234`, and `€12.50` where there are cents. */
export const formatShortMoney = (amount: number, currency: string, locale: Locale): string =>
  shortMoneyFormat(locale, currency).format(decimalOf(amount, currency));

/** A price as `netUnitPrice` makes it, of up to four places, as the language writes money: `€16.6633`. */
export const formatUnitPrice = (price: string, currency: string, locale: Locale): string =>
  kept(writeMoney(price, currency, numberFormat(locale)), locale);

/** The currency's sign, and on which side of a number the language puts it. */
export function currencySign(currency: string, locale: Locale): { sign: string; isFirst: boolean } {
  const { sign, positive } = moneyFormat(currency, numberFormat(locale));
  return { sign, isFirst: positive[0].includes('¤') };
}

/** Languages whose numbers and signs would change places around a space, or that write none. */
const closedPercent: ReadonlySet<Locale> = new Set(['zh', 'ar', 'he']);

/** 0.09975 → `9,975 %` */
export function formatRate(rate: string, locale: Locale): string {
  const format = numberFormat(locale);
  const number = writeDecimal(percentOf(rate), format);
  return closedPercent.has(locale) ? format.percent.join(number) : `${number} %`;
}

/** 0.09975 → `9.975`: a rate of at most six places in percent, without arithmetic. */
function percentOf(rate: string): Decimal {
  const [whole = '', fraction = ''] = rate.split('.');
  const digits = `${whole}${fraction.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const rest = fraction.slice(2).replace(/0+$/, '');
  return (rest === '' ? digits : `${digits}.${rest}`) as Decimal;
}

const dateFormat = remembered(
  (locale) => new Intl.DateTimeFormat(formatTag(locale), { dateStyle: 'long', timeZone: 'UTC' }),
);

export const formatDate = (instant: string, locale: Locale): string => dateFormat(locale, '').format(new Date(instant));

export interface Country {
  code: string;
  name: string;
}

const named = remembered((locale, codes): Country[] => {
  const names = new Intl.DisplayNames(formatTag(locale), { type: 'region' });
  const { compare } = new Intl.Collator(formatTag(locale));
  const countries = codes.split(' ').map((code) => ({ code, name: names.of(code) ?? code }));
  return countries.sort((a, b) => compare(a.name, b.name));
});

/** Countries by their names in a language, in its order. */
export const nameCountries = (codes: readonly string[], locale: Locale): readonly Country[] =>
  named(locale, codes.join(' '));

const currencyNames = remembered((locale) => new Intl.DisplayNames(formatTag(locale), { type: 'currency' }));

/** `EUR – Euro` */
export const nameCurrency = (code: string, locale: Locale): string =>
  `${code} – ${currencyNames(locale, '').of(code) ?? code}`;
