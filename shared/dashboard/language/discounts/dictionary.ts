import type { Dictionary } from '../texts.ts';
import { discountsDe } from './de.ts';
import { type DiscountsKey, discountsEn } from './en.ts';
import { discountsEs } from './es.ts';
import { discountsFr } from './fr.ts';

/** What the pages about discount codes say. */
export const discountsDictionary: Dictionary<DiscountsKey> = {
  en: discountsEn,
  de: discountsDe,
  fr: discountsFr,
  es: discountsEs,
};
