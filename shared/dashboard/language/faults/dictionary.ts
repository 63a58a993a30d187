import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { faultsDe } from './de.ts';
import { type FaultsKey, faultsEn } from './en.ts';
import { faultsEs } from './es.ts';
import { faultsFr } from './fr.ts';

export const faultsDictionary: Dictionary<FaultsKey> = { en: faultsEn, de: faultsDe, fr: faultsFr, es: faultsEs };

export type FaultsTexts = Texts<FaultsKey>;

export const faultsTexts = ({ locale }: { locale: Locale }): FaultsTexts => textsOf(faultsDictionary, locale);
