import type { Locale } from '../pages/locale.ts';
import { de } from './locales/de.ts';
import { type DocumentStringKey, type DocumentStrings, en } from './locales/en.ts';
import { es } from './locales/es.ts';
import { fr } from './locales/fr.ts';
import { it } from './locales/it.ts';
import { ja } from './locales/ja.ts';
import { nl } from './locales/nl.ts';
import { pl } from './locales/pl.ts';
import { pt } from './locales/pt.ts';
import { sv } from './locales/sv.ts';

/** The texts of the documents in every language that the pages speak. */
export const documentStrings: Readonly<Record<Locale, DocumentStrings>> = { en, de, fr, es, pt, it, nl, sv, pl, ja };

export type TranslateDocument = (key: DocumentStringKey, values?: Readonly<Record<string, string>>) => string;

/** The texts of a language; `{placeholders}` are replaced, whatever they are replaced with. */
export function documentTranslator(locale: Locale): TranslateDocument {
  const texts = documentStrings[locale];
  return (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
}
