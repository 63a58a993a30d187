import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { taxDe } from './de.ts';
import { type TaxKey, taxEn } from './en.ts';
import { taxEs } from './es.ts';
import { taxFr } from './fr.ts';

export const taxDictionary: Dictionary<TaxKey> = { en: taxEn, de: taxDe, fr: taxFr, es: taxEs };

export type TaxTexts = Texts<TaxKey>;

export const taxTexts = ({ locale }: { locale: Locale }): TaxTexts => textsOf(taxDictionary, locale);
