const partOf: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB', LI: 'CH' };

/**
 * The country to which a place belongs for VAT rates, registrations and ids. Monaco belongs to France, the Isle of
 * Man to the United Kingdom (VAT Directive, art. 7), and Liechtenstein to Switzerland (treaty of 1994).
 */
export const vatCountryOf = (country: string): string => partOf[country] ?? country;
