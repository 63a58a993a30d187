/** A state, province or territory that a buyer chooses from a list. */
export interface Region {
  /** ISO 3166-2 without the country. */
  code: string;
  name: string;
}

const listed: Readonly<Record<string, string>> = {
  US:
    'AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware;DC District of Columbia;' +
    'FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;LA Louisiana;ME Maine;' +
    'MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;NE Nebraska;NV Nevada;' +
    'NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;OH Ohio;OK Oklahoma;OR Oregon;' +
    'PA Pennsylvania;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;UT Utah;VT Vermont;VA Virginia;' +
    'WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming',
  CA:
    'AB Alberta;BC British Columbia;MB Manitoba;NB New Brunswick;NL Newfoundland and Labrador;NT Northwest Territories;' +
    'NS Nova Scotia;NU Nunavut;ON Ontario;PE Prince Edward Island;QC Quebec;SK Saskatchewan;YT Yukon',
  IN:
    'AN Andaman and Nicobar Islands;AP Andhra Pradesh;AR Arunachal Pradesh;AS Assam;BR Bihar;CH Chandigarh;CG Chhattisgarh;' +
    'DH Dadra and Nagar Haveli and Daman and Diu;DL Delhi;GA Goa;GJ Gujarat;HR Haryana;HP Himachal Pradesh;' +
    'JK Jammu and Kashmir;JH Jharkhand;KA Karnataka;KL Kerala;LA Ladakh;LD Lakshadweep;MP Madhya Pradesh;MH Maharashtra;' +
    'MN Manipur;ML Meghalaya;MZ Mizoram;NL Nagaland;OD Odisha;PY Puducherry;PB Punjab;RJ Rajasthan;SK Sikkim;TN Tamil Nadu;' +
    'TS Telangana;TR Tripura;UP Uttar Pradesh;UK Uttarakhand;WB West Bengal',
};

/** Old codes that ISO 3166-2 has replaced, but that address forms still send. */
const formerCodes: Readonly<Record<string, string>> = {
  'IN-CT': 'CG',
  'IN-OR': 'OD',
  'IN-TG': 'TS',
  'IN-UT': 'UK',
  'IN-DD': 'DH',
  'IN-DN': 'DH',
};

const regions: ReadonlyMap<string, readonly Region[]> = new Map(
  Object.entries(listed).map(([country, list]) => [country, list.split(';').map(regionOf)]),
);

let byKey: ReadonlyMap<string, Region> | undefined;

/**
 * The regions by their names and codes. The map is made at the first search, because it takes longer than loading the
 * rest of this file.
 */
function regionsByKey(): ReadonlyMap<string, Region> {
  byKey ??= new Map(
    [...regions].flatMap(([country, list]) =>
      list.flatMap((region) => [region.code, region.name].map((text) => [keyOf(country, text), region] as const)),
    ),
  );
  return byKey;
}

/** The regions for a select box, sorted by name. The list is empty if the region does not affect tax. */
export const regionsOf = (country: string): readonly Region[] => regions.get(country) ?? [];

/** Whether tax cannot be decided without a region: in the US, Canada and India. */
export const needsRegion = (country: string): boolean => regions.has(country);

/** The maximum length of a region's name, in code units. No spelling of a name is longer. */
const mostUnits = 200;

/** Finds a region by its code, with or without the country, by a replaced code, or by its name. */
export const findRegion = (country: string, text: string): Region | undefined =>
  text.length > mostUnits || !needsRegion(country)
    ? undefined
    : regionsByKey().get(keyOf(country, regionCode(country, text)));

/** The code in upper case, without the country. An old code becomes the current one. */
export function regionCode(country: string, text: string): string {
  const code = text.trim().toUpperCase();
  const bare = code.startsWith(`${country}-`) ? code.slice(country.length + 1) : code;
  return formerCodes[`${country}-${bare}`] ?? bare;
}

/** The key by which a name is found. It has no upper case and no accents, so Quebec also finds Québec. */
function keyOf(country: string, text: string): string {
  return `${country} ${text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()}`;
}

function regionOf(entry: string): Region {
  return { code: entry.slice(0, 2), name: entry.slice(3) };
}
