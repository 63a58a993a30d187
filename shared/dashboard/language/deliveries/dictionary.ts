import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { deliveriesDe } from './de.ts';
import { type DeliveriesKey, deliveriesEn } from './en.ts';
import { deliveriesEs } from './es.ts';
import { deliveriesFr } from './fr.ts';

export const deliveriesDictionary: Dictionary<DeliveriesKey> = {
  en: deliveriesEn,
  de: deliveriesDe,
  fr: deliveriesFr,
  es: deliveriesEs,
};

export type DeliveriesTexts = Texts<DeliveriesKey>;

export const deliveriesTexts = ({ locale }: { locale: Locale }): DeliveriesTexts =>
  textsOf(deliveriesDictionary, locale);
