import type { Locale } from '../../../pages/locale.ts';
import { type Dictionary, type Texts, textsOf } from '../texts.ts';
import { paymentDe } from './de.ts';
import { type PaymentKey, paymentEn } from './en.ts';
import { paymentEs } from './es.ts';
import { paymentFr } from './fr.ts';

export const paymentDictionary: Dictionary<PaymentKey> = { en: paymentEn, de: paymentDe, fr: paymentFr, es: paymentEs };

export type PaymentTexts = Texts<PaymentKey>;

export const paymentTexts = ({ locale }: { locale: Locale }): PaymentTexts => textsOf(paymentDictionary, locale);
