import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { accessDe } from './de.ts';
import { type AccessKey, accessEn } from './en.ts';
import { accessEs } from './es.ts';
import { accessFr } from './fr.ts';

export const accessDictionary: Dictionary<AccessKey> = { en: accessEn, de: accessDe, fr: accessFr, es: accessEs };

export type AccessTexts = Texts<AccessKey>;

export const accessTexts = ({ locale }: { locale: Locale }): AccessTexts => textsOf(accessDictionary, locale);
