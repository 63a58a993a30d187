import { unionCountries } from '../domain/places/union-countries.ts';
import type { SalesThreshold } from '../domain/reports/thresholds.ts';
import { vatCountryOf } from './places/tax-areas.ts';
import type { TaxRegistration } from './rules/registration.ts';

type Fact = Omit<SalesThreshold, 'id'>;

/**
 * The limit in the Union. Sellers in the Union have one limit for all other member states together. Other sellers must
 * register from the first sale.
 */
const union: Fact = {
  limit: 10_000,
  currency: 'EUR',
  period: 'years',
  counts: 'consumers',
  source: 'VAT Directive 2006/112/EC, art. 59c',
  confidence: 'high',
};
const unionFromAbroad: Fact = { ...union, limit: 0, source: 'VAT Directive 2006/112/EC, art. 58 and 358a' };

/** The limits for sellers who are not established in the country. */
const abroad: Readonly<Record<string, Fact>> = {
  GB: {
    limit: 0,
    currency: 'GBP',
    period: 'rolling',
    counts: 'consumers',
    source: 'VATA 1994, schedule 1A: no threshold for sellers from abroad',
    confidence: 'medium',
  },
  CH: {
    limit: 100_000,
    currency: 'CHF',
    period: 'year',
    counts: 'worldwide',
    source: 'MWSTG, Art. 10: turnover worldwide, from the first sale in Switzerland',
    confidence: 'medium',
  },
  NO: {
    limit: 50_000,
    currency: 'NOK',
    period: 'rolling',
    counts: 'consumers',
    source: 'vatcalc.com/norway, VOES; Merverdiavgiftsloven § 2-1',
    confidence: 'high',
  },
  AU: {
    limit: 75_000,
    currency: 'AUD',
    period: 'rolling',
    counts: 'consumers',
    source: 'GST Act 1999, s. 23-15; ato.gov.au',
    confidence: 'medium',
  },
  NZ: {
    limit: 60_000,
    currency: 'NZD',
    period: 'rolling',
    counts: 'consumers',
    source: 'GST Act 1985, s. 51; ird.govt.nz',
    confidence: 'medium',
  },
  SG: {
    limit: 100_000,
    currency: 'SGD',
    period: 'year',
    counts: 'consumers',
    source: 'GST Act, first schedule: and more than SGD 1 million worldwide',
    confidence: 'medium',
  },
};

/** The limits for sellers who are established in the country. */
const atHome: Readonly<Record<string, Fact>> = {
  GB: {
    limit: 90_000,
    currency: 'GBP',
    period: 'rolling',
    counts: 'everybody',
    source: 'VATA 1994, schedule 1, since 2024-04-01',
    confidence: 'medium',
  },
};

/**
 * The limit of each US state in thousands of dollars. If the number of sales counts too, it follows after `|` (or) or
 * `&` (and).
 */
// biome-ignore format: one limit per line
const states: readonly (readonly [period: Fact['period'], limit: string, codes: string])[] = [
  ['years', '100', 'AK AZ CO FL ID IN IA KS LA ME MA NM NC ND OK PA SC SD UT WA WI WY'],
  ['years', '100|200', 'AR DC GA HI KY MD MI NE NV NJ OH RI VA WV'],
  ['years', '250', 'AL'],
  ['years', '500', 'CA'],
  ['rolling', '100', 'IL MO TN'],
  ['rolling', '100|200', 'MN VT'],
  ['rolling', '100&200', 'CT'],
  ['rolling', '250', 'MS'],
  ['rolling', '500', 'TX'],
  ['rolling', '500&100', 'NY'],
];

const stateSource =
  'salestaxinstitute.com/resources/economic-nexus-state-guide; Avalara, 2025-06, on counts that ended';

function stateThreshold(period: Fact['period'], text: string, code: string): SalesThreshold {
  const [thousands = '', count] = text.split(/[|&]/);
  return {
    id: `US-${code}`,
    limit: Number(thousands) * 1_000,
    currency: 'USD',
    ...(count && { sales: { limit: Number(count), isAlternative: text.includes('|') } }),
    period,
    counts: 'everybody',
    source: stateSource,
    confidence: code === 'KY' || code === 'CT' ? 'low' : 'medium',
  };
}

const ofStates: readonly SalesThreshold[] = states.flatMap(([period, text, codes]) =>
  codes.split(' ').map((code) => stateThreshold(period, text, code)),
);

/** The limits that a seller in a country must watch, each with its source. */
export function thresholdsOf(merchantCountry: string): SalesThreshold[] {
  const home = vatCountryOf(merchantCountry);
  const countries = Object.entries(abroad).flatMap(([id, fact]) => {
    const own = id === home ? atHome[id] : fact;
    return own ? [{ id, ...own }] : [];
  });
  return [{ id: 'EU', ...(unionCountries.has(home) ? union : unionFromAbroad) }, ...countries, ...ofStates];
}

/** Whether a sale to a place counts towards a threshold. */
export function thresholdIncludes(
  id: string,
  merchantCountry: string,
): (place: { country: string; region: string | null }) => boolean {
  const home = vatCountryOf(merchantCountry);
  return ({ country, region }) => {
    const state = vatCountryOf(country);
    if (id === 'EU') return unionCountries.has(state) && state !== home;
    return id.startsWith('US-') ? country === 'US' && `US-${region}` === id : state === id;
  };
}

/** Whether the merchant is already registered in the place of a threshold. */
export const isRegisteredFor = (id: string, registrations: readonly TaxRegistration[]): boolean =>
  registrations.some(({ country, region, scheme }) => {
    if (id === 'EU') return scheme === 'oss';
    return id.startsWith('US-')
      ? country === 'US' && `US-${region}` === id
      : vatCountryOf(country) === id && scheme !== 'oss';
  });
