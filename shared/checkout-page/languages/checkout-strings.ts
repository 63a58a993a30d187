import { filledText } from '../../pages/direction.ts';
import { type Locale, strings } from '../../pages/locale.ts';
import type { StringKey } from '../../pages/locales/en.ts';
import { checkoutAr } from './ar.ts';
import { checkoutDe } from './de.ts';
import { type CheckoutStrings, checkoutEn } from './en.ts';
import { checkoutEs } from './es.ts';
import { checkoutFr } from './fr.ts';
import { checkoutHe } from './he.ts';
import { checkoutIt } from './it.ts';
import { checkoutJa } from './ja.ts';
import { checkoutNl } from './nl.ts';
import { checkoutPl } from './pl.ts';
import { checkoutPt } from './pt.ts';
import { checkoutSv } from './sv.ts';
import { checkoutZh } from './zh.ts';

export const checkoutStrings: Readonly<Record<Locale, CheckoutStrings>> = {
  en: checkoutEn,
  de: checkoutDe,
  fr: checkoutFr,
  es: checkoutEs,
  pt: checkoutPt,
  it: checkoutIt,
  nl: checkoutNl,
  sv: checkoutSv,
  pl: checkoutPl,
  ja: checkoutJa,
  zh: checkoutZh,
  ar: checkoutAr,
  he: checkoutHe,
};

/** A text of the checkout page: one of all pages, or its own. */
export type CheckoutKey = StringKey | keyof CheckoutStrings;

export type TranslateCheckout = (key: CheckoutKey, values?: Readonly<Record<string, string>>) => string;

/** The texts of a language, with their `{placeholders}` replaced literally. */
export function checkoutTranslator(locale: Locale): TranslateCheckout {
  const texts: Readonly<Record<CheckoutKey, string>> = { ...strings[locale], ...checkoutStrings[locale] };
  return (key, values = {}) => filledText(texts[key], values, locale);
}
