import checkoutAr from './checkout/ar.json' with { type: 'json' };
import checkoutDe from './checkout/de.json' with { type: 'json' };
import checkoutEn from './checkout/en.json' with { type: 'json' };
import checkoutEs from './checkout/es.json' with { type: 'json' };
import checkoutFr from './checkout/fr.json' with { type: 'json' };
import checkoutHe from './checkout/he.json' with { type: 'json' };
import checkoutIt from './checkout/it.json' with { type: 'json' };
import checkoutJa from './checkout/ja.json' with { type: 'json' };
import checkoutNl from './checkout/nl.json' with { type: 'json' };
import checkoutPl from './checkout/pl.json' with { type: 'json' };
import checkoutPt from './checkout/pt.json' with { type: 'json' };
import checkoutSv from './checkout/sv.json' with { type: 'json' };
import checkoutZh from './checkout/zh.json' with { type: 'json' };
import documentsAr from './documents/ar.json' with { type: 'json' };
import documentsDe from './documents/de.json' with { type: 'json' };
import documentsEn from './documents/en.json' with { type: 'json' };
import documentsEs from './documents/es.json' with { type: 'json' };
import documentsFr from './documents/fr.json' with { type: 'json' };
import documentsHe from './documents/he.json' with { type: 'json' };
import documentsIt from './documents/it.json' with { type: 'json' };
import documentsJa from './documents/ja.json' with { type: 'json' };
import documentsNl from './documents/nl.json' with { type: 'json' };
import documentsPl from './documents/pl.json' with { type: 'json' };
import documentsPt from './documents/pt.json' with { type: 'json' };
import documentsSv from './documents/sv.json' with { type: 'json' };
import documentsZh from './documents/zh.json' with { type: 'json' };
import pagesAr from './pages/ar.json' with { type: 'json' };
import pagesDe from './pages/de.json' with { type: 'json' };
import pagesEn from './pages/en.json' with { type: 'json' };
import pagesEs from './pages/es.json' with { type: 'json' };
import pagesFr from './pages/fr.json' with { type: 'json' };
import pagesHe from './pages/he.json' with { type: 'json' };
import pagesIt from './pages/it.json' with { type: 'json' };
import pagesJa from './pages/ja.json' with { type: 'json' };
import pagesNl from './pages/nl.json' with { type: 'json' };
import pagesPl from './pages/pl.json' with { type: 'json' };
import pagesPt from './pages/pt.json' with { type: 'json' };
import pagesSv from './pages/sv.json' with { type: 'json' };
import pagesZh from './pages/zh.json' with { type: 'json' };
import recoveryAr from './recovery/ar.json' with { type: 'json' };
import recoveryDe from './recovery/de.json' with { type: 'json' };
import recoveryEn from './recovery/en.json' with { type: 'json' };
import recoveryEs from './recovery/es.json' with { type: 'json' };
import recoveryFr from './recovery/fr.json' with { type: 'json' };
import recoveryHe from './recovery/he.json' with { type: 'json' };
import recoveryIt from './recovery/it.json' with { type: 'json' };
import recoveryJa from './recovery/ja.json' with { type: 'json' };
import recoveryNl from './recovery/nl.json' with { type: 'json' };
import recoveryPl from './recovery/pl.json' with { type: 'json' };
import recoveryPt from './recovery/pt.json' with { type: 'json' };
import recoverySv from './recovery/sv.json' with { type: 'json' };
import recoveryZh from './recovery/zh.json' with { type: 'json' };

/**
 * The texts that people read. Each face of the product has a folder with one file for each language, and the English
 * file says which keys there are. A bundle holds the tables that its function reads, and no others.
 */

type Values = Readonly<Record<string, string>>;

/** The languages of the buyers' pages, by their BCP 47 tag. */
export const locales = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'pl', 'ja', 'zh', 'ar', 'he'] as const;
export type Locale = (typeof locales)[number];

type InAllLanguages<Key extends string> = Readonly<Record<Locale, Readonly<Record<Key, string>>>>;

/** The texts of every page of buyers. */
export const pageTexts: InAllLanguages<keyof typeof pagesEn> = {
  en: pagesEn,
  de: pagesDe,
  fr: pagesFr,
  es: pagesEs,
  pt: pagesPt,
  it: pagesIt,
  nl: pagesNl,
  sv: pagesSv,
  pl: pagesPl,
  ja: pagesJa,
  zh: pagesZh,
  ar: pagesAr,
  he: pagesHe,
};

/** The texts of the checkout page alone, which the pages around it do without. */
export const checkoutTexts: InAllLanguages<keyof typeof checkoutEn> = {
  en: checkoutEn,
  de: checkoutDe,
  fr: checkoutFr,
  es: checkoutEs,
  pt: checkoutPt,
  it: checkoutIt,
  nl: checkoutNl,
  sv: checkoutSv,
  pl: checkoutPl,
  ja: checkoutJa,
  zh: checkoutZh,
  ar: checkoutAr,
  he: checkoutHe,
};

/** The texts of the page of a recovery link, which no other page has. */
export const recoveryTexts: InAllLanguages<keyof typeof recoveryEn> = {
  en: recoveryEn,
  de: recoveryDe,
  fr: recoveryFr,
  es: recoveryEs,
  pt: recoveryPt,
  it: recoveryIt,
  nl: recoveryNl,
  sv: recoverySv,
  pl: recoveryPl,
  ja: recoveryJa,
  zh: recoveryZh,
  ar: recoveryAr,
  he: recoveryHe,
};

/** The texts of the documents and their mails. */
export const documentTexts: InAllLanguages<keyof typeof documentsEn> = {
  en: documentsEn,
  de: documentsDe,
  fr: documentsFr,
  es: documentsEs,
  pt: documentsPt,
  it: documentsIt,
  nl: documentsNl,
  sv: documentsSv,
  pl: documentsPl,
  ja: documentsJa,
  zh: documentsZh,
  ar: documentsAr,
  he: documentsHe,
};

export type PageKey = keyof typeof pagesEn;
export type CheckoutKey = PageKey | keyof typeof checkoutEn;
export type DocumentKey = keyof typeof documentsEn;

/** Gives a text in a language, with its `{placeholders}` replaced literally. */
type TextOf<Key extends string> = (key: Key, values?: Values) => string;

export type Translate = TextOf<PageKey>;
export type TranslateCheckout = TextOf<CheckoutKey>;
export type TranslateDocument = TextOf<DocumentKey>;

function textOf<Key extends string>(texts: Readonly<Record<Key, string>>, locale: Locale): TextOf<Key> {
  return (key, values = {}) => filledText(texts[key], values, locale);
}

export const translator = (locale: Locale): Translate => textOf(pageTexts[locale], locale);

export const checkoutTranslator = (locale: Locale): TranslateCheckout =>
  textOf({ ...pageTexts[locale], ...checkoutTexts[locale] }, locale);

export const recoveryTranslator = (locale: Locale): TextOf<keyof typeof recoveryEn> =>
  textOf(recoveryTexts[locale], locale);

export const documentTranslator = (locale: Locale): TranslateDocument => textOf(documentTexts[locale], locale);

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'he']);

export const isRightToLeft = (locale: string): boolean => rightToLeft.has(locale);

/** In a text from right to left each value keeps its own direction (isolates, UAX #9). */
const filledText = (text: string, values: Values, locale: string): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = values[name];
    if (value === undefined || !isRightToLeft(locale)) return value ?? placeholder;
    return `\u2068${value.replace(/[\u2066-\u2069]/g, '')}\u2069`;
  });
