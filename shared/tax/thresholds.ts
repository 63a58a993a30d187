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

type Line = readonly [
  id: string,
  limit: number,
  currency: string,
  period: Fact['period'],
  counts: Fact['counts'],
  confidence: Fact['confidence'],
  source: string,
  more?: Pick<Fact, 'sales' | 'alternatives'>,
];

/**
 * More limits for sellers who are not established in the country; as of 2026-11-23. Iceland's is missing, because its
 * currency is not one of ours.
 */
// biome-ignore format: one limit per line
const moreAbroad: readonly Line[] = [
  ['CA', 30_000, 'CAD', 'rolling', 'consumers', 'high', 'Excise Tax Act, subdivision E of division II, part IX (s. 211.1 ff.); canada.ca'],
  ['CA-QC', 30_000, 'CAD', 'rolling', 'consumers', 'high', 'Act respecting the QST, s. 477.2 ff. (specified system); revenuquebec.ca'],
  ['CA-BC', 10_000, 'CAD', 'rolling', 'everybody', 'medium', 'Provincial Sales Tax Act s. 172-172.1; rlb.ca, avalara.com'],
  ['CA-SK', 0, 'CAD', 'first', 'everybody', 'high', 'Provincial Sales Tax Act; support.simplyvat.com, avalara.com'],
  ['CA-MB', 0, 'CAD', 'first', 'everybody', 'low', 'Retail Sales Tax Act; support.simplyvat.com, getsphere.com'],
  ['JP', 10_000_000, 'JPY', 'base_year', 'everybody', 'high', 'Consumption Tax Act art. 9, 9-2, 12-2; vatabout.com, global-acc.bdo.global, dlapiper.com: business years taken as calendar years; a company with capital of JPY 10 million or more is taxable from its first year'],
  ['TW', 600_000, 'TWD', 'years', 'consumers', 'high', 'Business Tax Act art. 28-1(3); mof.gov.tw, law-out.mof.gov.tw'],
  ['TH', 1_800_000, 'THB', 'year', 'consumers', 'high', 'Revenue Code s. 82/13, 83/8, Ministerial Regulation 377; inhousecommunity.com, franklegaltax.com, support.devrev.ai'],
  ['ZA', 1_000_000, 'ZAR', 'rolling', 'everybody', 'medium', 'VAT Act 89 of 1991 s. 23(1A); cliffedekkerhofmeyr.com, saiba.academy: 2,300,000 since 2026-04-01 is read for ordinary vendors only: watched from the lower amount'],
  ['IN', 0, 'INR', 'first', 'consumers', 'high', 'CGST Act s. 24(xi), IGST Act s. 14; aubsp.com, support.eximpe.com'],
  ['KR', 0, 'KRW', 'first', 'consumers', 'high', 'VAT Act art. 53-2; koisraup.com, vatcompliance.net'],
  ['MX', 0, 'MXN', 'first', 'everybody', 'high', 'LIVA art. 18-B to 18-M; backup.vatcompliance.co, home.kpmg'],
  ['TR', 0, 'TRY', 'first', 'consumers', 'high', 'VAT Act 3065 art. 9; cpaturk.com.tr, globaltaxnews.ey.com'],
  ['MY', 500_000, 'MYR', 'rolling', 'everybody', 'high', 'Service Tax Act 2018 s. 56B; mylaw.my, bahudin.com'],
  ['ID', 600_000_000, 'IDR', 'rolling', 'everybody', 'high', 'PER-12/PJ/2025 (since 2025-05-22); muc.co.id: no duty: the tax office appoints; numbers of visitors are not known here', { alternatives: [{ limit: 50_000_000, period: 'month' }] }],
  ['AE', 0, 'AED', 'first', 'consumers', 'high', 'Federal Decree-Law 8 of 2017 art. 13; orbitax.com'],
  ['SA', 0, 'SAR', 'first', 'consumers', 'high', 'VAT implementing regulations; orbitax.com'],
  ['CL', 0, 'CLP', 'first', 'consumers', 'high', 'DL 825 art. 8 n), paragraph 7 bis; Ley 21.713; sii.cl, avalara.com'],
  ['CO', 0, 'COP', 'first', 'consumers', 'medium', 'Estatuto Tributario art. 437 par. 2, DIAN Res. 51/2018; vatcalc.com, vatcompliance.co'],
  ['PH', 3_000_000, 'PHP', 'rolling', 'everybody', 'medium', 'Tax Code s. 108-A, 236; RR 3-2025; kpmg.com, pwc.com, avalara.com: registration from the first sale, tax above the amount'],
  ['VN', 0, 'VND', 'first', 'everybody', 'medium', 'Law on Tax Administration art. 42; Circular 80/2021; fonoa.com, vietnam-briefing.com'],
  ['KE', 0, 'KES', 'first', 'everybody', 'high', 'VAT Act 2013 s. 34; VAT (Electronic, Internet and Digital Marketplace Supply) Regulations 2023; pwc.co.za, ey.com'],
  ['NG', 25_000, 'USD', 'rolling', 'everybody', 'medium', 'FIRS circular 2021/19; Nigeria Tax Act 2025 since 2026-01-01; pwc.co.za, vatupdate.com'],
  ['EG', 500_000, 'EGP', 'rolling', 'consumers', 'high', 'Law 67/2016 as amended by law 3/2022; decree 160/2023; taxspoc.com, digitalpolicyalert.org'],
  ['RS', 0, 'RSD', 'first', 'consumers', 'high', 'VAT Law art. 10a; tasiclaw.com, home.kpmg.com'],
  ['UA', 1_000_000, 'UAH', 'previous_year', 'consumers', 'high', 'Tax Code art. 180, 181, 208-1; law 1525-IX; laudis.ua, vatcalc.com'],
  ['GE', 0, 'GEL', 'first', 'consumers', 'high', 'Tax Code, chapter on digital services; nr.rs.ge, taxnews.ey.com'],
  ['KZ', 0, 'KZT', 'first', 'consumers', 'high', 'Tax Code 214-VIII art. 102; order 636; kpmg.com, signumlaw.com, ey.com'],
  ['LK', 60_000_000, 'LKR', 'rolling', 'everybody', 'medium', 'VAT (Amendment) Act 4 of 2025 and 14 of 2026; taxadvisor.lk, vatupdate.com', { alternatives: [{ limit: 15_000_000, period: 'three_months' }] }],
  ['NP', 3_000_000, 'NPR', 'rolling', 'consumers', 'medium', 'VAT Act 2052, digital services procedure 2079; ey.com, orbitax.com'],
  ['KH', 250_000_000, 'KHR', 'rolling', 'consumers', 'high', 'Sub-decree 65 (2021), Prakas 542 (2021); kpmg.com, bnglegal.com', { alternatives: [{ limit: 60_000_000, period: 'three_months' }] }],
  ['UG', 150_000_000, 'UGX', 'rolling', 'consumers', 'medium', 'VAT Act s. 16, 31A (old numbers); pwc.co.za, thetaxman.ura.go.ug, vatcalc.com', { alternatives: [{ limit: 37_500_000, period: 'three_months' }] }],
  ['SN', 0, 'XOF', 'first', 'everybody', 'high', 'CGI art. 355 bis; arrêté 034269 of 2023-11-08; afronumerik.com, kpmg.com, rewmi.com'],
  ['CI', 0, 'XOF', 'first', 'everybody', 'low', 'Annexe fiscale 2022 (law 2021-899); note 03949 of 2023-10-09; vatcalc.com, sovos.com, tresor.gouv.ci'],
  ['ZW', 25_000, 'USD', 'rolling', 'everybody', 'high', 'VAT Act ch. 23:12 s. 13A; public notice 05/2026; kpmg.com, taxtami.cloud'],
  ['ZM', 800_000, 'ZMW', 'rolling', 'everybody', 'high', 'VAT (Cross Border Electronic Services) Regulations 2024; kpmg.com, pwc.co.za, vatabout.com', { alternatives: [{ limit: 200_000, period: 'three_months' }] }],
  ['RW', 0, 'RWF', 'first', 'everybody', 'medium', 'Law 049/2023; Ministerial Order 004/26/10/TC; kpmg.com, peopleofinternet.com'],
  ['ET', 2_000_000, 'ETB', 'rolling', 'consumers', 'medium', 'Proclamation 1341/2024; Regulation 570/2025; digitalpolicyalert.org, kpmg.com'],
  ['PR', 100_000, 'USD', 'rolling', 'everybody', 'high', 'Internal Revenue Code s. 4010.01(h), (fff); Regulation 9237; rsm.global, anrok.com, numeralhq.com', { sales: { limit: 200, isAlternative: true } }],
];

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
  const others = moreAbroad
    .filter(([id]) => placeOf(id).country !== home)
    .map(([id, limit, currency, period, counts, confidence, source, more]) => ({
      ...{ id, limit, currency, period, counts, confidence, source },
      ...more,
    }));
  const inUnion = { id: 'EU', ...(unionCountries.has(home) ? union : unionFromAbroad) };
  return [inUnion, ...countries, ...others, ...ofStates];
}

/** The country and region of a limit: `CA-QC`. */
function placeOf(id: string): { country: string; region?: string | undefined } {
  const [country = id, region] = id.split('-');
  return { country, region };
}

/** Whether a sale to a place counts towards a threshold. */
export function thresholdIncludes(
  id: string,
  merchantCountry: string,
): (place: { country: string; region: string | null }) => boolean {
  const home = vatCountryOf(merchantCountry);
  const limited = placeOf(id);
  return ({ country, region }) => {
    const state = vatCountryOf(country);
    if (id === 'EU') return unionCountries.has(state) && state !== home;
    return state === limited.country && (limited.region === undefined || region === limited.region);
  };
}

/** The countries where a registration in a region does not count for the country's own tax. */
const withOwnRegions: ReadonlySet<string> = new Set(['CA', 'US']);

/** Whether the merchant is already registered in the place of a threshold. */
export const isRegisteredFor = (id: string, registrations: readonly TaxRegistration[]): boolean =>
  registrations.some(({ country, region, scheme }) => {
    if (id === 'EU') return scheme === 'oss';
    const limited = placeOf(id);
    if (vatCountryOf(country) !== limited.country || scheme === 'oss') return false;
    return limited.region === region || (limited.region === undefined && !withOwnRegions.has(limited.country));
  });
