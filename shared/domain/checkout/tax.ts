/** The kinds of products in tax law. */
export const taxCategories = ['digital_products', 'saas', 'e_book', 'edtech', 'live_tutoring'] as const;
export type TaxCategory = (typeof taxCategories)[number];

/** How a merchant is registered. One `oss` registration covers the 27 member states of the Union. */
export const registrationSchemes = ['standard', 'simplified', 'oss'] as const;
export type RegistrationScheme = (typeof registrationSchemes)[number];

/** Why no tax is charged, in the order in which the reasons are checked. */
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

/** The buyer's place: country (ISO 3166-1 alpha-2), subdivision code without the country, and postal code. */
export interface Place {
  country: string;
  region?: string | undefined;
  postalCode?: string | undefined;
}

/** One tax on a line: `{name: 'VAT', jurisdiction: 'DE', rate: '0.19', baseFraction: '1', reason: null}`. */
export interface TaxComponent {
  name: string;
  /** The jurisdiction that levies the tax: `DE`, `US-TX`, `CA-QC`. */
  jurisdiction: string;
  /** A decimal string, `0.19` for 19 %; `0` when zero-rated; null with every other reason. */
  rate: string | null;
  /** The taxed part of the net, a decimal string: `1` nearly everywhere, `0.8` for services in Texas. */
  baseFraction: string;
  /** The reason why no tax is charged; null if tax is charged. */
  reason: ZeroReason | null;
}

/**
 * The rules for which lines are taxed together. With the first rule, the lines have the same rates and are all
 * inclusive or all exclusive. With the second, they only have the same rates, because Japan's invoices allow one
 * rounding for each rate.
 */
export const roundingRules = ['rate_set_and_behaviour', 'rate_set'] as const;
export type RoundingRule = (typeof roundingRules)[number];

/** How a line is taxed at a place on a date, and why. */
export interface TaxTreatment {
  /** The taxes on the line, at least one. A document prints them in this order. */
  components: readonly TaxComponent[];
  /**
   * Codes of warnings, such as `not_electronically_supplied`, `estimate_state_only`, `territory_standard_rate` or
   * `unsupported`.
   */
  warnings: readonly string[];
  /** The country that taxes the line, if it is not the buyer's; absent otherwise. */
  taxedIn?: string | undefined;
}
