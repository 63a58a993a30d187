import { languageOfTag, likedTags } from './accepted-languages.ts';
import { filledText } from './direction.ts';
import { ar } from './locales/ar.ts';
import { de } from './locales/de.ts';
import { en, type StringKey, type Strings } from './locales/en.ts';
import { es } from './locales/es.ts';
import { fr } from './locales/fr.ts';
import { he } from './locales/he.ts';
import { it } from './locales/it.ts';
import { ja } from './locales/ja.ts';
import { nl } from './locales/nl.ts';
import { pl } from './locales/pl.ts';
import { pt } from './locales/pt.ts';
import { sv } from './locales/sv.ts';
import { zh } from './locales/zh.ts';

/** The languages of the pages, by their BCP 47 tag. */
export const strings = { en, de, fr, es, pt, it, nl, sv, pl, ja, zh, ar, he } as const satisfies Record<
  string,
  Strings
>;

export type Locale = keyof typeof strings;

export const locales = Object.keys(strings) as Locale[];

const isLocale = (text: string): text is Locale => Object.hasOwn(strings, text);

/** The supported locale of a language tag: `de` for `de-AT`. Browsers of old write Hebrew `iw`. */
export function findLocale(tag: string | undefined): Locale | undefined {
  const language = languageOfTag(tag).replace(/^iw$/, 'he');
  return isLocale(language) ? language : undefined;
}

/** An address in the language of the page that leads there: a buyer may have chosen another than the browser's. */
export const inLanguage = (path: string, locale: Locale): string => `${path}?lang=${locale}`;

/** The supported language that an `Accept-Language` header prefers; English if there is none. */
export function negotiateLocale(acceptLanguage = ''): Locale {
  const found = likedTags(acceptLanguage).map(findLocale);
  return found.find((locale) => locale !== undefined) ?? 'en';
}

/** The region of the language that an `Accept-Language` header likes best, among those that name one: `AT` for `de-AT`. */
export function languageRegion(acceptLanguage = ''): string | undefined {
  const regions = likedTags(acceptLanguage).map((tag) => /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})$/i.exec(tag)?.[1]);
  return regions.find((region) => region !== undefined)?.toUpperCase();
}

export type Translate = (key: StringKey, values?: Readonly<Record<string, string>>) => string;

/** The texts of a language, with their `{placeholders}` replaced literally. */
export function translator(locale: Locale): Translate {
  const texts: Strings = strings[locale];
  return (key, values = {}) => filledText(texts[key], values, locale);
}
