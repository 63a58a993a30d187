import { isOtherNumber, withoutOtherNumbers } from './other-number.ts';
import { readingsOf } from './plain-digits.ts';

/** The first digits and possible lengths of each brand's card numbers. */
const brands: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [16, 19]], // Visa. Its old 13-digit numbers are not listed, because German article numbers look the same.
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]], // Mastercard
  [/^3[47]/, [15]], // American Express
  [/^3(0[0-5]|[689])/, [14]], // Diners Club
  [/^(6011|64[4-9]|65|62|352[89]|35[3-8])/, [16, 17, 18, 19]], // Discover, UnionPay, JCB
  // Maestro. Its old 12- and 13-digit numbers are not listed, because British article numbers look the same.
  [/^(50(18|20|38)|5893|6304|6759|676[1-3])/, [16, 17, 18, 19]],
];

const leastDigits = 14;
const mostDigits = 19;
/** The most digits of a phone number with its country code: ITU-T E.164. */
const mostPhoneDigits = 15;

/** Adjacent digits, and the separator before them. */
interface Group {
  digits: string;
  separator: string;
}

/**
 * Whether a text contains a card number. It is found in any script, percent-encoded or not, and with any separators
 * between its digits. The Luhn check alone is not enough, because one in ten numbers passes it. The length of the text
 * must already be limited.
 */
export function containsCardNumber(text: string): boolean {
  if (!hasEnoughDigits(text)) return false;
  return readingsOf(text).some((reading) => chainsOf(withoutOtherNumbers(reading)).some(holdsCard));
}

/**
 * Whether a tax id may be a card number. Many tax ids have up to 15 digits. Indonesia's have 16, with a date of birth
 * in the middle.
 */
export const mayBeCardNumber = (taxId: string): boolean =>
  containsCardNumber(taxId) && !/^\D*(?:\d\D*){5,15}$/.test(taxId.normalize('NFKC')) && !isResident(taxId);

const isResident = (taxId: string): boolean =>
  /^[1-9]\d{5}(?:[04][1-9]|[1256]\d|[37][01])(?:0[1-9]|1[0-2])\d{6}$/.test(taxId.replace(/[\s.-]/g, ''));

/**
 * Whether a text has enough digits of any script, or percent signs of encoded ones. Almost no text has them, so the
 * rest of the check is skipped.
 */
const hasEnoughDigits = (text: string): boolean => (text.match(/[\p{N}%]/gu)?.length ?? 0) >= leastDigits;

interface Chain {
  isPhone: boolean;
  groups: Group[];
}

/** A chain of digits. A separator is one character, even if several were typed. */
const chain = /(\+?)(\d+(?:[-. +/]\d+)*)/g;

const chainsOf = (text: string): Chain[] =>
  [...text.matchAll(chain)].map(([, plus = '', digits = '']) => {
    const parts = digits.split(/([-. +/])/);
    const groups = parts.flatMap((part, at) =>
      at % 2 === 0 ? [{ digits: part, separator: parts[at - 1] ?? '' }] : [],
    );
    return { isPhone: plus !== '' && digits.replace(/\D/g, '').length <= mostPhoneDigits, groups };
  });

/**
 * Whether a chain of digits contains a card number. A phone number is checked only as a whole. If the chain has exactly
 * the length of a card number, its groups do not matter. In a longer chain, only groups as on cards count.
 */
function holdsCard({ isPhone, groups }: Chain): boolean {
  if (isPhone) return isCardNumber(groups) && isPrinted(groups);
  if (isWritten(groups) && isCardNumber(groups)) return true;
  return groups.some((_, start) => startsCard(groups, start));
}

function startsCard(groups: readonly Group[], start: number): boolean {
  let length = 0;
  for (let end = start; end < groups.length && length <= mostDigits; end += 1) {
    length += groups[end]?.digits.length ?? 0;
    if (length < leastDigits || length > mostDigits) continue;
    const part = groups.slice(start, end + 1);
    if (isPrinted(part) && isCardNumber(part)) return true;
  }
  return false;
}

const digitsOf = (groups: readonly Group[]): string => groups.map(({ digits }) => digits).join('');

/**
 * Whether only spaces and dashes separate the digits, as in typed text. Digits with other separators are order or tax
 * numbers.
 */
const isWritten = (groups: readonly Group[]): boolean =>
  [16, 19].includes(digitsOf(groups).length) &&
  groups.every(({ separator }, at) => at === 0 || separator === ' ' || separator === '-');

/**
 * Whether the digits are grouped as on a card: in one piece, as single digits, pairs, halves or fours, or like American
 * Express and Diners Club. A decimal fraction does not count.
 */
function isPrinted(groups: readonly Group[]): boolean {
  const [first, second] = groups;
  if (groups.length === 1) return first?.separator !== '.';
  if (groups.length === 2 && second?.separator === '.') return false;
  return /^(?:1+|2+1?|(?:4,){2,4}[1-4]|4,6,[45]|8,8)$/.test(shapeOf(groups));
}

/** The lengths of the groups, such as `4,4,4,4`. For pairs and single digits, it has no commas. */
function shapeOf(groups: readonly Group[]): string {
  const lengths = groups.map(({ digits }) => digits.length);
  return lengths.every((length) => length <= 2) ? lengths.join('') : lengths.join(',');
}

/**
 * Whether a number is a card number. Other kinds of numbers are only recognized if their digits are written in one
 * piece.
 */
function isCardNumber(groups: readonly Group[]): boolean {
  const digits = digitsOf(groups);
  const isOfBrand = brands.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits));
  return isOfBrand && passesLuhn(digits) && !(groups.length === 1 && isOtherNumber(digits));
}

function passesLuhn(digits: string): boolean {
  let total = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const value = Number(digits[digits.length - 1 - place]) * (place % 2 === 1 ? 2 : 1);
    total += value > 9 ? value - 9 : value;
  }
  return total % 10 === 0;
}
