import type { Locale } from '../locale.ts';
import { builtFormats } from './built.ts';

/** What stands before and after a number. `¤` is the currency's sign. */
type Affixes = readonly [before: string, after: string];

/** How a language writes numbers, as `Intl` knows it. */
export interface NumberFormat {
  decimal: string;
  group: string;
  /** The digits that must stand before the first group's sign: one, or two where four digits are not grouped. */
  leastDigits: number;
  negative: Affixes;
  percent: Affixes;
  /** Each way in which a currency's sign is written: positive, then negative. */
  money: readonly (readonly [positive: Affixes, negative: Affixes])[];
  /** By currency: the way, and the sign. A currency that is not named is its code, in the first way. */
  signs: Readonly<Record<string, string>>;
}

const parsed = new Map<Locale, NumberFormat>();

/** Read from the built table: the first `Intl.NumberFormat` of a process takes as long as a tenth of its first page. */
export function numberFormat(locale: Locale): NumberFormat {
  const known = parsed.get(locale);
  if (known) return known;
  const format = JSON.parse(builtFormats[locale]) as NumberFormat;
  parsed.set(locale, format);
  return format;
}

/** A decimal string with all its digits: `1234.50` → `1.234,50`. */
export function writeDecimal(decimal: string, format: NumberFormat): string {
  const [negative, digits] = decimal.startsWith('-') ? [true, decimal.slice(1)] : [false, decimal];
  const number = writeDigits(digits, format);
  return negative ? format.negative.join(number) : number;
}

function writeDigits(digits: string, { decimal, group, leastDigits }: NumberFormat): string {
  const [whole = '', fraction] = digits.split('.');
  const grouped = whole.length < 3 + leastDigits ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  return fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
}

/** How a currency is written. */
export function moneyFormat(currency: string, { signs, money }: NumberFormat) {
  const named = signs[currency] ?? `0${currency}`;
  const [positive, negative] = money[Number(named[0])] as NumberFormat['money'][number];
  return { sign: named.slice(1), positive, negative };
}

/** A decimal string as an amount of a currency, with all its digits. */
export function writeMoney(decimal: string, currency: string, format: NumberFormat): string {
  const { sign, positive, negative } = moneyFormat(currency, format);
  const [affixes, digits] = decimal.startsWith('-') ? [negative, decimal.slice(1)] : [positive, decimal];
  const [before, after] = affixes.map((affix) => affix.replace('¤', () => sign));
  return `${before}${writeDigits(digits, format)}${after}`;
}
