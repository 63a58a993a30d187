import type { Locale } from '../locale.ts';
import { builtFormats } from './built.ts';

/** The texts before and after a number. `¤` stands for the currency's sign. */
type Affixes = readonly [before: string, after: string];

/** The format of numbers in a language, according to `Intl`. */
export interface NumberFormat {
  decimal: string;
  group: string;
  /**
   * How many digits must be before the first group separator. It is 2 if a number of four digits is not grouped,
   * otherwise 1.
   */
  leastDigits: number;
  negative: Affixes;
  percent: Affixes;
  /** The patterns for money, each for positive and negative amounts. */
  money: readonly (readonly [positive: Affixes, negative: Affixes])[];
  /**
   * The index of the pattern and the sign of each currency. A currency that is not listed has its code as sign, and the
   * first pattern.
   */
  signs: Readonly<Record<string, string>>;
}

const parsed = new Map<Locale, NumberFormat>();

/**
 * Reads the format from the table that was built before. The first `Intl.NumberFormat` would take a tenth of the time
 * of a process's first page.
 */
export function numberFormat(locale: Locale): NumberFormat {
  const known = parsed.get(locale);
  if (known) return known;
  const format = JSON.parse(builtFormats[locale]) as NumberFormat;
  parsed.set(locale, format);
  return format;
}

/** Writes a decimal string in the format of the language, with all its digits: `1234.50` → `1.234,50`. */
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

/** The sign and the patterns of a currency. */
export function moneyFormat(currency: string, { signs, money }: NumberFormat) {
  const named = signs[currency] ?? `0${currency}`;
  const [positive, negative] = money[Number(named[0])] as NumberFormat['money'][number];
  return { sign: named.slice(1), positive, negative };
}

/** Writes a decimal string as an amount of a currency, with all its digits. */
export function writeMoney(decimal: string, currency: string, format: NumberFormat): string {
  const { sign, positive, negative } = moneyFormat(currency, format);
  const [affixes, digits] = decimal.startsWith('-') ? [negative, decimal.slice(1)] : [positive, decimal];
  const [before, after] = affixes.map((affix) => affix.replace('¤', () => sign));
  return `${before}${writeDigits(digits, format)}${after}`;
}
