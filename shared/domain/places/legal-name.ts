/**
 * A seller as it is printed. An address begins with the legal name, so a shorter name that is its beginning is not
 * printed as well.
 */
export function printedOnce(
  name: string,
  [first = '', ...rest]: readonly string[],
): { name: string; address: readonly string[] } {
  const isRepeated = first === name || (first.startsWith(name) && /^[^\p{L}\p{N}]/u.test(first.slice(name.length)));
  return isRepeated ? { name: first, address: rest } : { name, address: first === '' ? rest : [first, ...rest] };
}
