import { type Locale, locales } from '../texts/texts.ts';
import { languageOfTag, likedTags } from './accepted-languages.ts';

export { type Locale, locales } from '../texts/texts.ts';

/**
 * The supported language of a tag: `de` for `de-AT`, and `zh-TW` for Chinese in traditional characters. Old browsers use
 * `iw` for Hebrew.
 */
export function findLocale(tag: string | undefined): Locale | undefined {
  const language = isTraditional.test(tag ?? '') ? 'zh-TW' : languageOfTag(tag).replace(/^iw$/, 'he');
  return locales.find((locale) => locale === language);
}

const isTraditional = /^\s*zh-(?:hant|tw|hk|mo)\b/i;

/** A path with the page's language. The buyer may have chosen another language than the browser's. */
export const inLanguage = (path: string, locale: Locale): string => `${path}?lang=${locale}`;

/** The supported language that an `Accept-Language` header prefers; English if there is none. */
export function negotiateLocale(acceptLanguage = ''): Locale {
  const found = likedTags(acceptLanguage).map(findLocale);
  return found.find((locale) => locale !== undefined) ?? 'en';
}

/**
 * The region in an `Accept-Language` header: `AT` for `de-AT`. If several tags have a region, the most preferred one is
 * used.
 */
export function languageRegion(acceptLanguage = ''): string | undefined {
  const regions = likedTags(acceptLanguage).map((tag) => /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})$/i.exec(tag)?.[1]);
  return regions.find((region) => region !== undefined)?.toUpperCase();
}
