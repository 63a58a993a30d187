import { invalid } from '../dynamo-error.ts';

/** `digits × 10^exponent`, without trailing zeros. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

const numeral = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const mostDigits = 38;
const largestMagnitude = 125;
const smallestMagnitude = -130;

function parseDecimal(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', power = '0'] = numeral.exec(text) ?? [];
  const written = (whole + fraction).replace(/^0+(?=\d)/, '');
  if (written === '') throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  const significant = written.replace(/0+$/, '');
  if (significant === '') return { digits: 0n, exponent: 0 };
  const exponent = Number(power) - fraction.length + written.length - significant.length;
  assertRange(significant.length, significant.length + exponent - 1);
  return { digits: BigInt(`${sign === '-' ? '-' : ''}${significant}`), exponent };
}

function assertRange(length: number, magnitude: number): void {
  if (length > mostDigits) throw invalid('Attempting to store more than 38 significant digits in a Number');
  const range = 'Attempting to store a number with magnitude';
  if (magnitude > largestMagnitude) throw invalid(`Number overflow. ${range} larger than supported range`);
  if (magnitude < smallestMagnitude) throw invalid(`Number underflow. ${range} smaller than supported range`);
}

function formatDecimal({ digits, exponent }: Decimal): string {
  if (exponent >= 0) return String(digits * 10n ** BigInt(exponent));
  const [sign, bare] = digits < 0n ? ['-', String(-digits)] : ['', String(digits)];
  const padded = bare.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Integers that are safe to add as doubles, as they are stored. */
const plain = /^(?:0|-?[1-9]\d{0,14})$/;

/** DynamoDB's canonical form of a number: up to 38 digits, without exponent and superfluous zeros. */
export const canonicalNumber = (text: string): string => (plain.test(text) ? text : formatDecimal(parseDecimal(text)));

/** Scales both numbers to the same power of ten. */
function aligned(left: Decimal, right: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = (number: Decimal) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return [scaled(left), scaled(right), exponent];
}

/** The exact sum or difference. Refuses more than 38 digits, as DynamoDB does. */
export function addNumbers(left: string, right: string, sign: 1 | -1): string {
  if (plain.test(left) && plain.test(right)) return String(Number(left) + sign * Number(right));
  const [a, b, exponent] = aligned(parseDecimal(left), parseDecimal(right));
  return canonicalNumber(`${a + BigInt(sign) * b}e${exponent}`);
}

/** Negative, zero or positive, as the left number is less than, equal to or greater than the right one. */
export function compareNumbers(left: string, right: string): number {
  if (plain.test(left) && plain.test(right)) return Number(left) - Number(right);
  const [a, b] = aligned(parseDecimal(left), parseDecimal(right));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const padded = (digits: string, pad: 'padStart' | 'padEnd'): string =>
  digits[pad](digits.length + (digits.length % 2), '0');

/** The last pair of digits of an integer, as in the general case. */
function bytesOfPlain(text: string): number {
  const sign = text.startsWith('-') ? 1 : 0;
  let end = text.length;
  while (end > sign && text.endsWith('00', end)) end -= 2;
  return text === '0' ? 1 : Math.ceil((end - sign) / 2) + 1 + sign;
}

/**
 * The size of a canonical number in bytes: one for each pair of digits from the decimal point, without zeros at
 * both ends, one more, and one for a minus.
 */
export function bytesOfNumber(text: string): number {
  if (plain.test(text)) return bytesOfPlain(text);
  const [whole = '', fraction = ''] = text
    .replace('-', '')
    .replace(/^0\.0*/, '.')
    .split('.');
  const pairs = (padded(whole, 'padStart') + padded(fraction, 'padEnd')).match(/../g) ?? [];
  const isDigit = (pair: string): boolean => pair !== '00';
  const significant = pairs.findLastIndex(isDigit) - pairs.findIndex(isDigit);
  const count = pairs.some(isDigit) ? significant + 1 : 0;
  return count + (text.startsWith('-') ? 2 : 1);
}
