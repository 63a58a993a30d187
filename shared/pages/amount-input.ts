import { minorUnitDigits } from '../domain/money/currency.ts';
import { maxAmount } from '../domain/money/money.ts';
import { currencySign, decimalOf } from './format.ts';
import type { Locale } from './locale.ts';

export type AmountFault = 'malformed' | 'ambiguous' | 'too_precise' | 'too_large';

type AmountReading = { amount: number } | { fault: AmountFault };

type Digits = { whole: string; fraction: string } | { fault: AmountFault };

/** How a language writes numbers. Spaces and apostrophes may also group digits. */
const conventions: Readonly<Record<Locale, { decimal: string; group: string }>> = {
  en: { decimal: '.', group: ',' },
  de: { decimal: ',', group: '.' },
  fr: { decimal: ',', group: ' ' },
  es: { decimal: ',', group: '.' },
  pt: { decimal: ',', group: '.' },
  it: { decimal: ',', group: '.' },
  nl: { decimal: ',', group: '.' },
  sv: { decimal: ',', group: ' ' },
  pl: { decimal: ',', group: ' ' },
  ja: { decimal: '.', group: ',' },
  ko: { decimal: '.', group: ',' },
  th: { decimal: '.', group: ',' },
  zh: { decimal: '.', group: ',' },
  'zh-TW': { decimal: '.', group: ',' },
  ar: { decimal: '.', group: ',' },
  he: { decimal: '.', group: ',' },
};

/**
 * Reads a typed amount as minor units, without floating point. Refuses ambiguous amounts: `1.234` is a thousand in
 * German, but unclear in English.
 */
export function parseAmount(typed: string, currency: string, locale: Locale): AmountReading {
  const text = withoutSpacing(withoutCurrency(typed, currency, locale));
  if (!/^[\d.,]*\d[\d.,]*$/.test(text)) return { fault: 'malformed' };
  const digits = split(text, minorUnitDigits(currency), conventions[locale]);
  return 'fault' in digits ? digits : toMinorUnits(digits, minorUnitDigits(currency));
}

/**
 * The number without the currency: `1 234,50 €`, `EUR 12` or `12`. The currency is optional. Digits may be full-width,
 * Arabic or Thai.
 */
function withoutCurrency(typed: string, currency: string, locale: Locale): string {
  const signs = [currency, plain(currencySign(currency, locale).sign, locale)];
  const text = plain(typed.slice(0, 60), locale);
  const sign = signs.find((candidate) => text.startsWith(candidate) || text.endsWith(candidate)) ?? '';
  return (text.startsWith(sign) ? text.slice(sign.length) : text.slice(0, -sign.length)).trim();
}

const arabic: Readonly<Record<string, 'decimal' | 'group'>> = { '٫': 'decimal', '٬': 'group' };

/** Replaces foreign digits and separators by Latin ones, and removes direction marks. */
const plain = (text: string, locale: Locale): string =>
  text
    .normalize('NFKC')
    .replace(/[\u061C\u200E\u200F\u2066-\u2069]/g, '')
    .replace(/[٠-٩۰-۹๐-๙]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replace(/[٫٬]/g, (sign) => conventions[locale][arabic[sign] ?? 'decimal'])
    .trim()
    .toUpperCase();

/** Removes spaces and apostrophes between thousands. Others stay, so the amount is then refused. */
const withoutSpacing = (text: string): string =>
  text.replace(/^\d{1,3}(?:[ '’]\d{3})+(?=[.,]|$)/, (thousands) => thousands.replace(/\D/g, ''));

function split(text: string, places: number, convention: { decimal: string; group: string }): Digits {
  const separators = text.replace(/\d/g, '');
  const last = separators.at(-1);
  if (last === undefined) return { whole: text, fraction: '' };
  if (separators.length === 1) return splitOnce(text, last, places, convention);
  const isDecimal = separators.indexOf(last) === separators.length - 1;
  const [thousands = '', fraction = ''] = isDecimal ? text.split(last) : [text];
  return isGrouped(thousands) ? { whole: thousands.replace(/\D/g, ''), fraction } : { fault: 'malformed' };
}

/**
 * Whether the digits are in groups of three, or of two before the last as in India, with the same separator everywhere.
 */
const isGrouped = (text: string): boolean => /^\d{1,3}([.,])(?:\d{2,3}\1)*\d{3}$/.test(text);

function splitOnce(
  text: string,
  sign: string,
  places: number,
  { decimal, group }: { decimal: string; group: string },
): Digits {
  const [whole = '', fraction = ''] = text.split(sign);
  const looksGrouped = /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3;
  if (!looksGrouped || (sign === decimal && places === 3)) return { whole, fraction };
  if (sign === group && places !== 3) return { whole: whole + fraction, fraction: '' };
  return { fault: 'ambiguous' };
}

function toMinorUnits({ whole, fraction }: { whole: string; fraction: string }, places: number): AmountReading {
  if (fraction.length > places) return { fault: 'too_precise' };
  const digits = (whole + fraction.padEnd(places, '0')).replace(/^0+/, '');
  const isTooLarge = digits.length > 10 || Number(digits) > maxAmount;
  return isTooLarge ? { fault: 'too_large' } : { amount: Number(digits) };
}

/** Minor units in the form in which a person would type them: `1234,56`. */
export const amountText = (amount: number, currency: string, locale: Locale): string =>
  decimalOf(amount, currency).replace('.', conventions[locale].decimal);

/** An example of a typed amount in this currency, for hints: `12,50`. */
export const exampleAmount = (currency: string, locale: Locale): string =>
  amountText(125 * 10 ** Math.max(1, minorUnitDigits(currency) - 1), currency, locale);
