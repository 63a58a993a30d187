import { needsRegion } from './regions.ts';
import { placeCode, type ResolvedPlace } from './resolve-place.ts';
import { isTerritory } from './territories.ts';

/** Where one registers for a tax: `{country: 'CA'}` for GST, `{country: 'CA', region: 'QC'}` for QST. */
export interface Jurisdiction {
  country: string;
  region: string | undefined;
}

/** Taxes of the federation, whichever the state or province. */
const federalTaxes: ReadonlySet<string> = new Set(['GST', 'HST', 'CGST', 'IGST']);

/** Where a tax at a place is registered for; India registers all of its taxes state by state. */
export function jurisdictionOf(tax: string, { country, region }: ResolvedPlace): Jurisdiction {
  if (country === 'CA') return { country, region: federalTaxes.has(tax) ? undefined : region };
  return { country, region: needsRegion(country) || isTerritory(country, region) ? region : undefined };
}

/** Whose tax it is, as a code: `US-TX`, `CA-QC`, `CA` for GST and `IN` for CGST. */
export function jurisdictionCode(tax: string, place: ResolvedPlace): string {
  const { country, region } = jurisdictionOf(tax, place);
  return needsRegion(country) && federalTaxes.has(tax) ? country : placeCode(country, region);
}
