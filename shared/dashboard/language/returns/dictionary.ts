import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { returnsDe } from './de.ts';
import { type ReturnsKey, returnsEn } from './en.ts';
import { returnsEs } from './es.ts';
import { returnsFr } from './fr.ts';

export const returnsDictionary: Dictionary<ReturnsKey> = { en: returnsEn, de: returnsDe, fr: returnsFr, es: returnsEs };

export type ReturnsTexts = Texts<ReturnsKey>;

export const returnsTexts = ({ locale }: { locale: Locale }): ReturnsTexts => textsOf(returnsDictionary, locale);
