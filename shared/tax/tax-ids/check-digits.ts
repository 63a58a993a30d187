/** Checks the check digit of a number. The form of the number was already checked. */
type CheckDigit = (number: string) => boolean;

const digitsOf = (number: string): number[] => Array.from(number, Number);

const weighted = (values: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (values[index] ?? 0), 0);

/** Australia: the first digit is reduced by one, and the weighted sum is a multiple of 89. */
const isAbn: CheckDigit = (number) => {
  const [first = 0, ...others] = digitsOf(number);
  return weighted([first - 1, ...others], [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0;
};

/** Canada: the business number of nine digits, by Luhn's formula. */
export const isCanadianBusinessNumber: CheckDigit = (number) => {
  const doubled = digitsOf(number).map((digit, index) => (index % 2 === 1 ? 2 * digit : digit));
  return doubled.reduce((sum, value) => sum + crossSum(value), 0) % 10 === 0;
};

/** Japan: the first digit checks the other twelve. */
const isCorporateNumber: CheckDigit = (number) => {
  const [check, ...others] = digitsOf(number.slice(1));
  const sum = others.reverse().reduce((total, digit, index) => total + digit * (1 + (index % 2)), 0);
  return check === 9 - (sum % 9);
};

const base36 = 36;

/** India: the last character checks the first fourteen, in base 36. */
const isGstin: CheckDigit = (number) => {
  const values = Array.from(number, (character) => Number.parseInt(character, base36));
  const sum = values.slice(0, -1).reduce((total, value, index) => {
    const product = value * (1 + (index % 2));
    return total + Math.floor(product / base36) + (product % base36);
  }, 0);
  return values.at(-1) === (base36 - (sum % base36)) % base36;
};

const leastIrd = 10_000_000;
const irdLength = 9;
const irdWeights = [
  [3, 2, 7, 6, 5, 4, 3, 2],
  [7, 4, 3, 2, 5, 2, 7, 6],
];

/** New Zealand: if the first row of weights gives 10, a second row decides. An NZBN of 13 digits has no check here. */
const isIrd: CheckDigit = (number) => {
  if (number.length > irdLength) return true;
  const digits = digitsOf(number.padStart(irdLength, '0'));
  const checks = irdWeights.map((weights) => (11 - (weighted(digits, weights) % 11)) % 11);
  return Number(number) >= leastIrd && checks.find((check) => check < 10) === digits.at(-1);
};

/** Taiwan: the sum is a multiple of 5, since 2023. A seventh digit of 7 counts as 10, whose digits add up to 0 or 1. */
const isUbn: CheckDigit = (number) => {
  const weights = [1, 2, 1, 2, 1, 2, 4, 1];
  const sum = digitsOf(number).reduce((total, digit, index) => total + crossSum(digit * (weights[index] ?? 0)), 0);
  return sum % 5 === 0 || (number[6] === '7' && (sum + 1) % 5 === 0);
};

const crossSum = (value: number): number => Math.floor(value / 10) + (value % 10);

/** The check digits of countries that `jsvat` does not know. It knows those of Norway and Switzerland. */
export const checkDigits: Readonly<Record<string, CheckDigit>> = {
  AU: isAbn,
  IN: isGstin,
  JP: isCorporateNumber,
  NZ: isIrd,
  TW: isUbn,
};
