/** The letters and digits of ids, keys and tokens, in the order of their values. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The last digits of a whole number, the lowest first. */
export function lowestDigits(value: bigint, count: number): string[] {
  let rest = value;
  return Array.from({ length: count }, () => {
    const digit = base62[Number(rest % 62n)] as string;
    rest /= 62n;
    return digit;
  });
}
