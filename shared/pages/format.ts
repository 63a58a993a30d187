import { minorUnitDigits } from '../domain/money/currency.ts';
import { isRightToLeft } from '../texts/texts.ts';
import { formatTag, scriptTag } from './formats/format-tag.ts';
import { moneyFormat, numberFormat, writeDecimal, writeMoney } from './formats/number-format.ts';
import type { Locale } from './locale.ts';

type Decimal = `${number}`;

/** A number in the format of the language. */
export const formatCount = (count: number, locale: Locale): string => writeDecimal(String(count), numberFormat(locale));

/** A file size as browsers show it: `1.5 MB`. */
export function formatSize(bytes: number, locale: Locale): string {
  const step = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const rounded = (bytes / 1_000 ** step).toFixed(step > 1 ? 1 : 0).replace(/\.0$/, '');
  return `${writeDecimal(rounded as Decimal, numberFormat(locale))}\u00a0${sizeUnits[step]}`;
}

const sizeUnits = ['B', 'kB', 'MB', 'GB'];

/** Makes each formatter once and keeps it, because making a formatter is slow. */
function remembered<Thing>(make: (locale: Locale, detail: string) => Thing): (locale: Locale, detail: string) => Thing {
  const known = new Map<string, Thing>();
  return (locale, detail) => {
    const key = `${locale} ${detail}`;
    const thing = known.get(key) ?? make(locale, detail);
    known.set(key, thing);
    return thing;
  };
}

/** 123456 → `1234.56`: minor units as a decimal string, without floating point. */
export function decimalOf(amount: number, currency: string): Decimal {
  const digits = minorUnitDigits(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const unsigned = digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return (amount < 0 ? `-${unsigned}` : unsigned) as Decimal;
}

/** Minor units as money in the format of the language: `1.234,56 €`. */
export const formatMoney = (amount: number, currency: string, locale: Locale): string =>
  kept(writeMoney(decimalOf(amount, currency), currency, numberFormat(locale)), locale);

/** Adds a mark after a sign such as `US$`, so that it is not shown as `$US` in a right-to-left text. */
const kept = (money: string, locale: Locale): string =>
  isRightToLeft(locale) ? money.replace(/[A-Z]+[^\p{L}\s\d]/u, '$&\u200E') : money;

const shortMoneyFormat = remembered((locale, currency) => {
  const digits = minorUnitDigits(currency);
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(formatTag(locale), { ...style, ...fraction });
});

/** Minor units in few characters, for charts: `€1,234`, or `€12.50` if there are cents. */
export const formatShortMoney = (amount: number, currency: string, locale: Locale): string =>
  shortMoneyFormat(locale, currency).format(decimalOf(amount, currency)).replace('-', '\u2212');

/** A price of up to four decimals from `netUnitPrice`, as money in the format of the language: `€16.6633`. */
export const formatUnitPrice = (price: string, currency: string, locale: Locale): string =>
  kept(writeMoney(price, currency, numberFormat(locale)), locale);

/** The sign of the currency, and whether the language writes it before the number. */
export function currencySign(currency: string, locale: Locale): { sign: string; isFirst: boolean } {
  const { sign, positive } = moneyFormat(currency, numberFormat(locale));
  return { sign, isFirst: positive[0].includes('¤') };
}

/** A rate as a percentage in the format of the language: 0.09975 → `9.975%` in English, `9,975 %` in French. */
export function formatRate(rate: string, locale: Locale): string {
  const format = numberFormat(locale);
  return format.percent.join(writeDecimal(percentOf(rate), format));
}

/** A rate of at most six decimals in percent, without floating point: 0.09975 → `9.975`. */
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

/** The time of an instant, to the second. Deadlines depend on it, so it contains the time zone. */
export const formatTime = (instant: string): string => `${new Date(instant).toISOString().slice(11, 19)} UTC`;

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

/** The countries with their names in a language, in its alphabetical order. */
export const nameCountries = (codes: readonly string[], locale: Locale): readonly Country[] =>
  named(locale, codes.join(' '));

/** The name of a country in a language; its code if it has none. */
export const countryName = (code: string, locale: Locale): string => nameCountries([code], locale)[0]?.name ?? code;

const languageNames = remembered((locale) => new Intl.DisplayNames(formatTag(locale), { type: 'language' }));

/** The name of a language, in another language: `allemand`. For Chinese, it contains the script. */
export const formatLanguage = (language: string, locale: Locale): string =>
  languageNames(locale, '').of(scriptTag(language)) ?? language;

const currencyNames = remembered((locale) => new Intl.DisplayNames(formatTag(locale), { type: 'currency' }));

/** A currency's code and name: `EUR – Euro`. */
export const nameCurrency = (code: string, locale: Locale): string =>
  `${code} – ${currencyNames(locale, '').of(code) ?? code}`;
