/** The 27 member states of the European Union. */
export const unionCountries: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

const partOf: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB' };

/** Monaco is France for VAT, and the Isle of Man the United Kingdom (VAT Directive, art. 7): rates, registrations and ids follow. */
export const vatCountryOf = (country: string): string => partOf[country] ?? country;
