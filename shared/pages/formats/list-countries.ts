import { type Country, nameCountries } from '../format.ts';
import type { Locale } from '../locale.ts';
import { builtCountries } from './built.ts';

/**
 * The countries as `nameCountries` lists them, but from a table that was built before. Without `Intl`, a process shows
 * its first page sooner.
 */
export function listCountries(codes: readonly string[], locale: Locale): readonly Country[] {
  const listedCodes = new Set(codes);
  const known = builtCountries[locale].split(';').map((text) => ({ code: text.slice(0, 2), name: text.slice(2) }));
  const listed = known.filter(({ code }) => listedCodes.has(code));
  return listed.length === listedCodes.size ? listed : nameCountries(codes, locale);
}
