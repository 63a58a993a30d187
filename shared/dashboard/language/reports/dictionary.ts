import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { reportsDe } from './de.ts';
import { type ReportsKey, reportsEn } from './en.ts';
import { reportsEs } from './es.ts';
import { reportsFr } from './fr.ts';

export const reportsDictionary: Dictionary<ReportsKey> = { en: reportsEn, de: reportsDe, fr: reportsFr, es: reportsEs };

export type ReportsTexts = Texts<ReportsKey>;

export const reportsTexts = ({ locale }: { locale: Locale }): ReportsTexts => textsOf(reportsDictionary, locale);
