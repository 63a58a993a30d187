import type { Dictionary } from '../texts.ts';
import { offerDe } from './de.ts';
import { type OfferKey, offerEn } from './en.ts';
import { offerEs } from './es.ts';
import { offerFr } from './fr.ts';

/** What the pages of a product say about its link, in every language that can be chosen. */
export const offerDictionary: Dictionary<OfferKey> = { en: offerEn, de: offerDe, fr: offerFr, es: offerEs };
