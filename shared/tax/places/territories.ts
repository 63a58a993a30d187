import { regionCode } from './regions.ts';

/** A part of a country with different VAT or none; `region` is its key in the rate table. */
interface Territory {
  country: string;
  region: string;
  postalCodes: RegExp;
  /** Its ISO 3166-1 code, if it has one. */
  isoCode?: string;
  /** Regions inside it that have their own codes. */
  regions?: readonly string[];
  /** Whether it belongs to the VAT territory of the Union, so OSS covers it. */
  isUnion: boolean;
}

// biome-ignore format: one territory per line
const territories: readonly Territory[] = [
  { country: 'ES', region: 'CN', postalCodes: /^3[58]\d{3}$/, regions: ['GC', 'TF'], isUnion: false },
  { country: 'ES', region: 'CE', postalCodes: /^51\d{3}$/, isUnion: false },
  { country: 'ES', region: 'ML', postalCodes: /^52\d{3}$/, isUnion: false },
  { country: 'PT', region: '30', postalCodes: /^9[0-4]\d\d(\d{3})?$/, isUnion: true },
  { country: 'PT', region: '20', postalCodes: /^9[5-9]\d\d(\d{3})?$/, isUnion: true },
  { country: 'FR', region: 'GP', postalCodes: /^971\d\d$/, isoCode: 'GP', regions: ['971'], isUnion: false },
  { country: 'FR', region: 'MQ', postalCodes: /^972\d\d$/, isoCode: 'MQ', regions: ['972'], isUnion: false },
  { country: 'FR', region: 'GF', postalCodes: /^973\d\d$/, isoCode: 'GF', regions: ['973'], isUnion: false },
  { country: 'FR', region: 'RE', postalCodes: /^974\d\d$/, isoCode: 'RE', regions: ['974'], isUnion: false },
  { country: 'FR', region: 'YT', postalCodes: /^976\d\d$/, isoCode: 'YT', regions: ['976'], isUnion: false },
  { country: 'FI', region: '01', postalCodes: /^22\d{3}$/, isoCode: 'AX', isUnion: false },
  { country: 'DE', region: '27498', postalCodes: /^27498$/, isUnion: false },
  { country: 'DE', region: '78266', postalCodes: /^78266$/, isUnion: false },
  { country: 'IT', region: '23041', postalCodes: /^230(30|41)$/, isUnion: false },
  { country: 'IT', region: '22061', postalCodes: /^22061$/, isUnion: false },
  { country: 'GR', region: '69', postalCodes: /^6308[67]$/, isUnion: false },
  { country: 'AT', region: '6691', postalCodes: /^6691$/, isUnion: true },
  { country: 'AT', region: '6991..6993', postalCodes: /^699[1-3]$/, isUnion: true },
];

const territoriesByCountry = Map.groupBy(territories, ({ country }) => country);

/** Postal codes that addresses write in one country, but that belong to another country for VAT. */
const postalCodesOfOthers: readonly [country: string, postalCodes: RegExp, other: string][] = [
  ['FR', /^980\d\d$/, 'MC'],
  ['FR', /^97133$/, 'BL'],
  ['FR', /^97150$/, 'MF'],
  ['FR', /^975\d\d$/, 'PM'],
  ['FR', /^986\d\d$/, 'WF'],
  ['FR', /^987\d\d$/, 'PF'],
  ['FR', /^988\d\d$/, 'NC'],
  ['GB', /^IM\d/, 'IM'],
  ['GB', /^JE\d/, 'JE'],
  ['GB', /^GY\d/, 'GG'],
];

/** The country to which a postal code belongs for VAT: FR 98000 is Monaco. */
export function countryOfPostalCode(country: string, postalCode: string): string {
  const match = postalCodesOfOthers.find(([of, postalCodes]) => of === country && postalCodes.test(postalCode));
  return match ? match[2] : country;
}

/** The territory of a place, found by its country code, region or postal code. */
export function findTerritory(country: string, region: string, postalCode: string): Territory | undefined {
  const candidates = territoriesByCountry.get(country);
  if (!candidates) return territories.find(({ isoCode }) => isoCode === country);
  const code = regionCode(country, region);
  const digits = postalCode.replace(/^[A-Z]+/, '');
  return candidates.find(
    (territory) => territory.region === code || territory.regions?.includes(code) || territory.postalCodes.test(digits),
  );
}

export const isTerritory = (country: string, region: string | undefined): boolean =>
  territoryOf(country, region) !== undefined;

/**
 * Whether an OSS registration covers a region of a member state. Overseas departments are outside the Union's VAT
 * (art. 6).
 */
export const isInUnionVat = (country: string, region: string | undefined): boolean =>
  territoryOf(country, region)?.isUnion !== false;

const territoryOf = (country: string, region: string | undefined): Territory | undefined =>
  territoriesByCountry.get(country)?.find((territory) => territory.region === region);

/**
 * Whether the postal code can change the tax. It can in countries with territories, and if the merchant has rates by
 * postal code.
 */
export const needsPostalCode = (
  country: string,
  overrides: readonly { country: string; postalCodePrefix?: string | undefined }[] = [],
): boolean =>
  territoriesByCountry.has(country) ||
  overrides.some((override) => override.country === country && override.postalCodePrefix !== undefined);
