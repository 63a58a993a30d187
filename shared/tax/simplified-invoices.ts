import { unionCountries } from '../domain/places/union-countries.ts';
import type { Confidence } from './rates/rate-sheet.ts';

/**
 * The highest total, tax included, up to which sellers of a country may leave out the buyer's name and address on an
 * invoice.
 */
interface SimplifiedLimit {
  currency: string;
  /** The total in minor units. */
  amount: number;
  confidence: Confidence;
  source: string;
}

const own = 'own knowledge';

// biome-ignore format: one country per line
const limits: Readonly<Record<string, SimplifiedLimit>> = {
  AT: { currency: 'EUR', amount: 40_000, confidence: 'medium', source: `${own}: UStG 1994, § 11(6)` },
  CH: { currency: 'CHF', amount: 40_000, confidence: 'medium', source: `${own}: MWSTG, art. 26(3)` },
  CZ: { currency: 'CZK', amount: 1_000_000, confidence: 'medium', source: `${own}: zákon o DPH, § 30` },
  DE: { currency: 'EUR', amount: 25_000, confidence: 'high', source: 'hlbi.com, new legislation raises threshold for simplified invoices (UStDV, § 33)' },
  DK: { currency: 'DKK', amount: 300_000, confidence: 'medium', source: `${own}: momsbekendtgørelsen, § 63` },
  FI: { currency: 'EUR', amount: 40_000, confidence: 'medium', source: `${own}: AVL, § 209f` },
  GB: { currency: 'GBP', amount: 25_000, confidence: 'medium', source: `${own}: VAT Notice 700, 16.6` },
  SE: { currency: 'SEK', amount: 400_000, confidence: 'medium', source: `${own}: ML 2023:200, ch. 17, § 26` },
};

/** The limit that every member state must allow. */
const union: SimplifiedLimit = {
  currency: 'EUR',
  amount: 10_000,
  confidence: 'high',
  source: 'vatupdate.com, art. 220a and 226b of the VAT Directive',
};

/**
 * Countries where a simplified invoice needs something that Tillstack does not support: a separate series, certified
 * software, or a platform of the country.
 */
const unmade: ReadonlySet<string> = new Set(['ES', 'IT', 'PL', 'PT']);

/** The limit for sellers who are established in a country; undefined if simplified invoices are not issued there. */
export const simplifiedLimitOf = (country: string): SimplifiedLimit | undefined =>
  limits[country] ?? (unionCountries.has(country) && !unmade.has(country) ? union : undefined);
