export interface Region {
  code: string;
  name: string;
}

/** What the tax rules want to know of an address, which the pages cannot look up themselves. */
export interface Places {
  /** The codes that a buyer can choose from. */
  countries: readonly string[];
  /** None where the region decides nothing. */
  regionsOf(country: string): readonly Region[];
  /** By its code or name. */
  findRegion(country: string, text: string): Region | undefined;
  asksPostalCode(country: string): boolean;
  /** Whether a business there can have a tax id that changes the tax. */
  asksTaxId(country: string, region: string): boolean;
}

/** The tax rules that decide it. */
export interface PlaceRules {
  countries: readonly string[];
  regionsOf: Places['regionsOf'];
  findRegion: Places['findRegion'];
  needsPostalCode(country: string, overrides: readonly PostalOverride[]): boolean;
  checkTaxId(id: string, country: string): { formatName: string };
}

interface PostalOverride {
  country: string;
  postalCodePrefix?: string | undefined;
}

/** Kosovo has no code of ISO 3166-1, and buyers. */
const beyondIso = ['XK'];

/** The rules, asked only about countries that can be chosen. */
export function placesOf(rules: PlaceRules, overrides: readonly PostalOverride[]): Places {
  const countries = [...rules.countries, ...beyondIso];
  const isKnown = (country: string) => countries.includes(country);
  return {
    countries,
    regionsOf: (country) => (isKnown(country) ? rules.regionsOf(country) : []),
    findRegion: (country, text) => (isKnown(country) ? rules.findRegion(country, text) : undefined),
    asksPostalCode: (country) => isKnown(country) && rules.needsPostalCode(country, overrides),
    asksTaxId: (country, region) => isKnown(country) && knowsTaxIds(rules, country, region),
  };
}

/** In Canada only Québec's tax knows businesses. */
const knowsTaxIds = (rules: PlaceRules, country: string, region: string): boolean =>
  rules.checkTaxId('', country).formatName !== 'Tax ID' && (country !== 'CA' || region === 'QC');
