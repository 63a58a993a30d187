import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { catalogueDe } from './de.ts';
import { type CatalogueKey, catalogueEn } from './en.ts';
import { catalogueEs } from './es.ts';
import { catalogueFr } from './fr.ts';

export const catalogueDictionary: Dictionary<CatalogueKey> = {
  en: catalogueEn,
  de: catalogueDe,
  fr: catalogueFr,
  es: catalogueEs,
};

export type CatalogueTexts = Texts<CatalogueKey>;

export const catalogueTexts = ({ locale }: { locale: Locale }): CatalogueTexts => textsOf(catalogueDictionary, locale);
