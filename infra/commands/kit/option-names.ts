import { UsageError } from '../../usage-error.ts';

const lastWord = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Whether a short name consists of the first or the last words of a name. */
const begins = (name: string, short: string): boolean => name.startsWith(`${short}-`) || name.startsWith(`${short}.`);
const ends = (name: string, short: string): boolean => name.endsWith(`-${short}`) || name.endsWith(`.${short}`);

/**
 * The ways to shorten a name, most exact first: `price.currency` becomes `currency`, `product-id` becomes `product`.
 */
const ways: readonly ((name: string, short: string) => boolean)[] = [
  (name, short) => name === short,
  (name, short) => lastWord(name) === short,
  (name, short) => !name.includes('.') && begins(name, short),
  (name, short) => begins(lastWord(name), short),
  (name, short) => ends(name, short),
];

/** The full name of an option. An unknown name is returned unchanged. */
export function fullName(short: string, names: readonly string[]): string {
  for (const fits of ways) {
    const [found, ...more] = names.filter((name) => fits(name, short));
    if (more.length > 0) throw new UsageError(`--${short} can be --${[found, ...more].join(' or --')}.`);
    if (found !== undefined) return found;
  }
  return short;
}
