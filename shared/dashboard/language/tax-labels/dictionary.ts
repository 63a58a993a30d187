import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { taxLabelsDe } from './de.ts';
import { type TaxLabelsKey, taxLabelsEn } from './en.ts';
import { taxLabelsEs } from './es.ts';
import { taxLabelsFr } from './fr.ts';

export const taxLabelsDictionary: Dictionary<TaxLabelsKey> = {
  en: taxLabelsEn,
  de: taxLabelsDe,
  fr: taxLabelsFr,
  es: taxLabelsEs,
};

export type TaxLabelsTexts = Texts<TaxLabelsKey>;

export const taxLabelsTexts = ({ locale }: { locale: Locale }): TaxLabelsTexts => textsOf(taxLabelsDictionary, locale);
