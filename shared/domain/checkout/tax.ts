/** What is sold, as tax law sees it. */
export const taxCategories = ['digital_products', 'saas', 'e_book', 'edtech', 'live_tutoring'] as const;
export type TaxCategory = (typeof taxCategories)[number];

/** Why a tax is zero; in the order in which they are decided. */
export const zeroReasons = [
  'no_tax',
  'reverse_charge',
  'not_collecting',
  'unsupported',
  'zero_rated',
  'exempt',
  'not_taxable',
] as const;
export type ZeroReason = (typeof zeroReasons)[number];

/** Where the buyer is: ISO 3166-1 alpha-2, the subdivision's code without the country, a postal code. */
export interface Place {
  country: string;
  region?: string | undefined;
  postalCode?: string | undefined;
}

/** One tax on a line: `{name: 'VAT', jurisdiction: 'DE', rate: '0.19', baseFraction: '1', reason: null}`. */
export interface TaxComponent {
  name: string;
  /** Whose tax it is: `DE`, `US-TX`, `CA-QC`. */
  jurisdiction: string;
  /** A decimal string, `0.19` for 19 %; `0` when zero-rated; null with every other reason. */
  rate: string | null;
  /** The part of the net that is taxed, a decimal string; `1` nearly everywhere, `0.8` for services in Texas. */
  baseFraction: string;
  /** Null when the tax is charged. */
  reason: ZeroReason | null;
}

/** How a line is taxed at a place on a date: what the quote needs to know, and why it is so. */
export interface TaxTreatment {
  /** At least one, in the order in which they are printed. */
  components: readonly TaxComponent[];
  /** Such as `not_electronically_supplied`, `estimate_state_only`, `unsupported`. */
  warnings: readonly string[];
}
