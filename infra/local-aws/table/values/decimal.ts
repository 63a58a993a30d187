import { invalid } from '../dynamo-error.ts';

/** A number as `digits × 10^exponent`, without trailing zeros. */
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

/** Matches integers in canonical form that can be added exactly as doubles. */
const plain = /^(?:0|-?[1-9]\d{0,14})$/;

/** A number in DynamoDB's canonical form: up to 38 digits, without an exponent and without superfluous zeros. */
export const canonicalNumber = (text: string): string => (plain.test(text) ? text : formatDecimal(parseDecimal(text)));

/** Scales two numbers to the same power of ten. */
function aligned(left: Decimal, right: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = (number: Decimal) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return [scaled(left), scaled(right), exponent];
}

/** The exact sum or difference. It refuses more than 38 digits, like DynamoDB. */
export function addNumbers(left: string, right: string, sign: 1 | -1): string {
  if (plain.test(left) && plain.test(right)) return String(Number(left) + sign * Number(right));
  const [a, b, exponent] = aligned(parseDecimal(left), parseDecimal(right));
  return canonicalNumber(`${a + BigInt(sign) * b}e${exponent}`);
}

/** Compares two numbers. The result is negative, zero or positive if the left one is smaller, equal or larger. */
export function compareNumbers(left: string, right: string): number {
  if (plain.test(left) && plain.test(right)) return Number(left) - Number(right);
  const [a, b] = aligned(parseDecimal(left), parseDecimal(right));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const padded = (digits: string, pad: 'padStart' | 'padEnd'): string =>
  digits[pad](digits.length + (digits.length % 2), '0');

/** The size of an integer in bytes, by the same rule as `bytesOfNumber`, but faster. */
function bytesOfPlain(text: string): number {
  const sign = text.startsWith('-') ? 1 : 0;
  let end = text.length;
  while (end > sign && text.endsWith('00', end)) end -= 2;
  return text === '0' ? 1 : Math.ceil((end - sign) / 2) + 1 + sign;
}

/**
 * The size of a canonical number in bytes. It is one for each pair of digits from the decimal point, without zeros at
 * both ends, plus one, and one more for a minus sign.
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
