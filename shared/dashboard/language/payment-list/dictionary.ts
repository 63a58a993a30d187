import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { paymentListDe } from './de.ts';
import { type PaymentListKey, paymentListEn } from './en.ts';
import { paymentListEs } from './es.ts';
import { paymentListFr } from './fr.ts';

export const paymentListDictionary: Dictionary<PaymentListKey> = {
  en: paymentListEn,
  de: paymentListDe,
  fr: paymentListFr,
  es: paymentListEs,
};

export type PaymentListTexts = Texts<PaymentListKey>;

export const paymentListTexts = ({ locale }: { locale: Locale }): PaymentListTexts =>
  textsOf(paymentListDictionary, locale);
