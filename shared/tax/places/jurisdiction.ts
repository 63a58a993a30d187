import { needsRegion } from './regions.ts';
import { placeCode, type ResolvedPlace } from './resolve-place.ts';
import { isTerritory } from './territories.ts';

/** The place where a seller registers for a tax: `{country: 'CA'}` for GST, `{country: 'CA', region: 'QC'}` for QST. */
export interface Jurisdiction {
  country: string;
  region: string | undefined;
}

/** Federal taxes, which are the same in every state or province. */
const federalTaxes: ReadonlySet<string> = new Set(['GST', 'HST', 'CGST', 'IGST']);

/** The place where a seller registers for a tax of a place. In India, all taxes are registered by state. */
export function jurisdictionOf(tax: string, { country, region }: ResolvedPlace): Jurisdiction {
  if (country === 'CA') return { country, region: federalTaxes.has(tax) ? undefined : region };
  return { country, region: needsRegion(country) || isTerritory(country, region) ? region : undefined };
}

/** The code of the jurisdiction that levies a tax: `US-TX`, `CA-QC`, `CA` for GST and `IN` for CGST. */
export function jurisdictionCode(tax: string, place: ResolvedPlace): string {
  const { country, region } = jurisdictionOf(tax, place);
  return needsRegion(country) && federalTaxes.has(tax) ? country : placeCode(country, region);
}
