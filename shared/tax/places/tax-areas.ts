/** The 27 member states of the European Union. */
export const unionCountries: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/**
 * Whether the Consumer Rights Directive (2011/83/EU) applies in a country: in the Union, and the rest of the European
 * Economic Area.
 */
export const isObliging = (country: string): boolean =>
  unionCountries.has(country) || ['IS', 'LI', 'NO'].includes(country);

const partOf: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB', LI: 'CH' };

/**
 * The country to which a place belongs for VAT rates, registrations and ids. Monaco belongs to France, the Isle of
 * Man to the United Kingdom (VAT Directive, art. 7), and Liechtenstein to Switzerland (treaty of 1994).
 */
export const vatCountryOf = (country: string): string => partOf[country] ?? country;
