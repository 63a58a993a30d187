import type { ZeroReason } from '../../domain/checkout/tax.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import type { HomeForm, HomeSection } from '../../domain/reports/returns/home-return.ts';
import type { MovedLine, TaxMovement } from '../../domain/reports/returns/movement.ts';
import { vatCountryOf } from '../places/tax-areas.ts';
import { isInUnionVat } from '../places/territories.ts';

/** Whether a country is a member state. */
export const isInUnion = (country: string): boolean => unionCountries.has(vatCountryOf(country));

/**
 * Whether a movement belongs to the OSS return. The scheme that the sale has stored decides. For older sales, it is the
 * scheme of the registration in the stored copy. Without a registration, such as in a sandbox, every other member state
 * counts as OSS.
 */
export function isUnderOss(
  { registrations, schemes }: Pick<TaxMovement, 'registrations' | 'schemes'>,
  known: ReadonlyMap<string, string>,
  isAbroad: boolean,
): boolean {
  const used = schemes ?? registrations.flatMap((id) => known.get(id) ?? []);
  return used.length > 0 ? used.includes('oss') : isAbroad;
}

type Supplied = Pick<TaxMovement, 'country' | 'region'> & Pick<MovedLine, 'taxedIn' | 'components'>;

/** The section of a member state's return to which a line of a sale belongs. */
export function homeSectionOf(sale: Supplied, { home, isOss }: { home: string; isOss: boolean }): HomeSection {
  const state = vatCountryOf(sale.taxedIn ?? sale.country);
  const reason = sale.components[0]?.reason ?? null;
  if (state === vatCountryOf(home)) return reason === 'no_tax' ? 'home_no_tax' : 'home';
  const isInUnionArea = unionCountries.has(state) && isInUnionVat(sale.country, sale.region ?? undefined);
  return isInUnionArea ? unionSectionOf(reason, isOss) : 'third_country';
}

function unionSectionOf(reason: ZeroReason | null, isOss: boolean): HomeSection {
  if (reason === 'reverse_charge') return 'union_business';
  if (reason !== null && reason !== 'zero_rated' && reason !== 'exempt') return 'union_not_collected';
  return isOss ? 'oss' : 'union_registered';
}

/**
 * The numbers (Kennzahlen) of the German advance return (UStVA), with source and confidence.
 * 81 and 86: the net base in whole euros, after reductions (guide of ilerngut.de, 2021; high).
 * 21: services under § 18b sentence 1 no. 2 UStG, as in the statement (odoo11-addon-l10n-de-tax-statement-zm; high).
 * 45: other sales whose place is outside the Union (own knowledge; medium).
 * It is disputed whether the net under OSS belongs in 45, so that net has no number here.
 */
const germany: HomeForm = {
  rates: { '0.19': '81', '0.07': '86' },
  sections: { union_business: '21', third_country: '45' },
  notes: [
    'Kz 81 and 86 take whole euros, and the form computes the tax from them: it may differ from the booked tax by cents.',
    'Kz 21 equals the recapitulative statement, except for corrected invoices, which correct the statement of their sale.',
    'Kz 45 has sales outside the Union (medium confidence). Whether it also takes the net under OSS is disputed: a row apart.',
    'Input tax, purchases, and sales made elsewhere are not known here.',
  ],
};

/** The form of a member state; undefined if its numbers are not known here. */
export const homeFormOf = (country: string): HomeForm | undefined =>
  vatCountryOf(country) === 'DE' ? germany : undefined;
