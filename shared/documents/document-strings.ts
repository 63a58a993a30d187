import { filledText } from '../pages/direction.ts';
import type { Locale } from '../pages/locale.ts';
import { documentsAr } from './locales/ar.ts';
import { documentsDe } from './locales/de.ts';
import { type DocumentStringKey, type DocumentStrings, documentsEn } from './locales/en.ts';
import { documentsEs } from './locales/es.ts';
import { documentsFr } from './locales/fr.ts';
import { documentsHe } from './locales/he.ts';
import { documentsIt } from './locales/it.ts';
import { documentsJa } from './locales/ja.ts';
import { documentsNl } from './locales/nl.ts';
import { documentsPl } from './locales/pl.ts';
import { documentsPt } from './locales/pt.ts';
import { documentsSv } from './locales/sv.ts';
import { documentsZh } from './locales/zh.ts';

/** The texts of the documents in every language that the pages speak. */
export const documentStrings: Readonly<Record<Locale, DocumentStrings>> = {
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

export type TranslateDocument = (key: DocumentStringKey, values?: Readonly<Record<string, string>>) => string;

/** The texts of a language, with their `{placeholders}` replaced literally. */
export function documentTranslator(locale: Locale): TranslateDocument {
  const texts = documentStrings[locale];
  return (key, values = {}) => filledText(texts[key], values, locale);
}
