import type { Dictionary } from '../texts.ts';
import { pricesDe } from './de.ts';
import { type PricesKey, pricesEn } from './en.ts';
import { pricesEs } from './es.ts';
import { pricesFr } from './fr.ts';

/** What the product’s page says about prices by place. */
export const pricesDictionary: Dictionary<PricesKey> = { en: pricesEn, de: pricesDe, fr: pricesFr, es: pricesEs };
