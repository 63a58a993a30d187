import type { TaxMovement } from '../../domain/reports/returns/movement.ts';
import { vatCountryOf } from '../places/tax-areas.ts';
import { isInUnionVat } from '../places/territories.ts';
import type { TaxRegistration } from '../rules/registration.ts';
import { isInUnion } from './home-returns.ts';

type Sold = Pick<TaxMovement, 'country' | 'region' | 'registrations' | 'schemes'>;

/**
 * The member state whose VAT number is on a sale's invoice: the state of the sale's registration, else the seller's
 * own. The number of non-Union OSS is not a VAT number, so such a sale has no statement.
 */
export function identifiedIn(
  { registrations, schemes }: Pick<Sold, 'registrations' | 'schemes'>,
  { known, home }: { known: ReadonlyMap<string, Pick<TaxRegistration, 'country' | 'scheme'>>; home: string },
): string | undefined {
  for (const [index, id] of registrations.entries()) {
    const registration = known.get(id);
    if (!registration || !isInUnion(registration.country)) continue;
    const scheme = schemes?.[index] ?? registration.scheme;
    if (scheme !== 'oss' || vatCountryOf(registration.country) === vatCountryOf(home))
      return vatCountryOf(registration.country);
  }
  return isInUnion(home) ? vatCountryOf(home) : undefined;
}

/** Whether a sale's place is in the Union's tax area, and in another state than the one of the VAT number. */
export const isInOtherState = ({ country, region }: Pick<Sold, 'country' | 'region'>, state: string): boolean =>
  isInUnion(country) && vatCountryOf(country) !== state && isInUnionVat(country, region ?? undefined);

interface StatementRule {
  /** Whether the state accepts only monthly statements. */
  isMonthly?: true;
  notes: readonly string[];
  source: string;
  confidence: 'high' | 'medium';
}

/** The rules of the member states for the recapitulative statement of services. */
const rules: Readonly<Record<string, StatementRule>> = {
  DE: {
    notes: [
      'Germany: each quarter for services, by the 25th after it. If goods force monthly statements (over 50,000 euros a quarter), services may join.',
      'Germany: amounts are rounded to whole euros. The file zm.csv follows the import of Mein ELSTER, version 3.0 (at most 1,500 rows); the titles of its columns are ours.',
    ],
    source: '§ 18a UStG; haufe.de HI2420865, HI2223499, HI14810253; elster.de, zmdo_import_eop',
    confidence: 'high',
  },
  FR: {
    isMonthly: true,
    notes: ['France: each month from the first euro, online (DES), by the tenth working day after it.'],
    source: 'douane.gouv.fr/articles/a10899; art. 289 B CGI',
    confidence: 'high',
  },
  AT: {
    notes: ['Austria: by the end of the following month. A quarter is possible up to a turnover of 100,000 euros.'],
    source: '360.lexisnexis.at, KarelAbt',
    confidence: 'medium',
  },
};

const others: StatementRule = {
  notes: [
    'Statements are monthly; a state may allow quarters for services, and at most one month to file. What this state asks is not known here.',
  ],
  source: 'VAT Directive 2006/112/EC, art. 263',
  confidence: 'high',
};

const ruleOf = (state: string): StatementRule => rules[vatCountryOf(state)] ?? others;

/** The notes for the merchant about the statement of a state. */
export const statementNotes = (state: string): readonly string[] => ruleOf(state).notes;

/** Whether a state accepts only monthly statements. */
export const isStatementMonthly = (state: string): boolean => ruleOf(state).isMonthly === true;
