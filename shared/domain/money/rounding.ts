/** A part of an amount as a reduced fraction: 19 % inside a gross price is 19/119. */
export interface Fraction {
  numerator: number;
  denominator: number;
}

const rateScale = 1_000_000n;

/** A decimal string with at most six decimals, as millionths: `0.19` → 190000n. */
export function toMillionths(decimal: string): bigint {
  const [whole = '', places = ''] = decimal.split('.');
  if (!/^\d{1,3}$/.test(whole) || !/^\d{0,6}$/.test(places)) throw new RangeError(`Not a decimal string: ${decimal}`);
  return BigInt(whole) * rateScale + BigInt(places.padEnd(6, '0'));
}

/** The number 1 in the units of `rateTimesFraction`: rates and base fractions have six decimals each. */
export const one = rateScale * rateScale;

/** A component's tax as a fraction of the net, in units of 10⁻¹². */
export const rateTimesFraction = (rate: string, baseFraction: string): bigint =>
  toMillionths(rate) * toMillionths(baseFraction);

/** Reduces a fraction. Its reduced terms must fit exactly into a double. */
export function reduce(numerator: bigint, denominator: bigint): Fraction {
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: Number(numerator / divisor), denominator: Number(denominator / divisor) };
}

/** Rounds `amount × fraction`, half up, exact for every amount up to 2⁵³ − 1. */
export function roundHalfUp(amount: number, { numerator, denominator }: Fraction): number {
  const doubled = 2 * amount * numerator;
  if (doubled + 3 * denominator < Number.MAX_SAFE_INTEGER)
    return Math.floor((doubled + denominator) / (2 * denominator));
  return roundWideHalfUp(amount, numerator, denominator);
}

/** Divides large numbers, rounded half up. */
export const quotientHalfUp = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator));

/**
 * Rounds a product that does not fit into a double. It splits `amount` into multiples of the denominator and a rest, so
 * smaller products usually fit. If they do not, it uses BigInt.
 */
function roundWideHalfUp(amount: number, numerator: number, denominator: number): number {
  const wholes = Math.floor(amount / denominator);
  const doubledRest = 2 * (amount % denominator) * numerator;
  if (wholes * numerator < Number.MAX_SAFE_INTEGER / 2 && doubledRest + 3 * denominator < Number.MAX_SAFE_INTEGER)
    return wholes * numerator + Math.floor((doubledRest + denominator) / (2 * denominator));
  const wide = 2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator);
  return Number(wide / (2n * BigInt(denominator)));
}

/** `⌊a × b / c⌋` and its remainder, exact. */
export function multiplyDivide(a: number, b: number, c: number): { quotient: number; remainder: number } {
  const product = a * b;
  if (product < Number.MAX_SAFE_INTEGER) return { quotient: Math.floor(product / c), remainder: product % c };
  const wide = BigInt(a) * BigInt(b);
  return { quotient: Number(wide / BigInt(c)), remainder: Number(wide % BigInt(c)) };
}

/** `whole × part / of`, half up, exact. */
export function proportion(whole: number, part: number, of: number): number {
  if (of === 0) return 0;
  const { quotient, remainder } = multiplyDivide(whole, part, of);
  return 2 * remainder >= of ? quotient + 1 : quotient;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
