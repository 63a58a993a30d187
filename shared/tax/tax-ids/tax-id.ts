import { belgium, type Country, checkVAT, countries } from 'jsvat';
import type { CheckTaxId, TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { refuse } from '../../domain/errors.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { vatHomeOf } from '../places/resolve-place.ts';
import { canadianName, hasLocalForm, inLocalForm, localIdExample, localIdName, readCanadianIds } from './local-ids.ts';

/**
 * The result of checking a buyer's tax id. `id` is in upper case, without separators, with the country's prefix:
 * `EL094259216`. `valid` means that a register confirmed it; `unverified` means that its form is right or unknown.
 */
export interface CheckedTaxId extends Omit<TaxIdCheck, 'checkedAt'> {
  /** The name of this kind of id: `EU VAT`. */
  formatName: string;
}

/** jsvat 2.5.4 does not know Belgian numbers that begin with 1, issued since 2023. Their check digits are the same. */
const belgiumSince2023: Country = {
  ...belgium,
  calcFn: (number) => {
    const digits = number.padStart(10, '0');
    return !digits.startsWith('00') && 97 - (Number(digits.slice(0, 8)) % 97) === Number(digits.slice(8));
  },
  rules: { ...belgium.rules, regex: [/^(BE)([01]?\d{9})$/] },
};

/** The countries whose ids can be checked offline. */
const vatRules: ReadonlyMap<string, Country> = new Map(
  countries
    .map((rule): [string, Country] => [rule.codes[0] ?? '', rule === belgium ? belgiumSince2023 : rule])
    .filter(([country]) => unionCountries.has(country) || ['GB', 'NO', 'CH'].includes(country)),
);

/** The prefix of ids, if it is not the country's code. */
const prefixes: Readonly<Record<string, string>> = { GR: 'EL', CH: 'CHE' };

/** Prefixes that buyers write but jsvat refuses, with their replacements. */
const rewrites: Readonly<Record<string, readonly [from: string, to: string]>> = { GR: ['GR', 'EL'], GB: ['XI', 'GB'] };

/** Ids in the form of their countries. They are made up, and almost all have wrong check digits. */
// biome-ignore format: a few countries per line
const vatExamples: Readonly<Record<string, string>> = {
  AT: 'ATU12345678', BE: 'BE0123456789', BG: 'BG123456789', CH: 'CHE123456789', CY: 'CY12345678X', CZ: 'CZ12345678',
  DE: 'DE123456789', DK: 'DK12345678', EE: 'EE101234567', ES: 'ESB12345678', FI: 'FI12345678', FR: 'FR12345678901',
  GB: 'GB123456789', GR: 'EL123456789', HR: 'HR12345678901', HU: 'HU12345678', IE: 'IE1234567A', IT: 'IT12345678901',
  LT: 'LT123456789', LU: 'LU12345678', LV: 'LV12345678901', MT: 'MT12345678', NL: 'NL123456789B01', NO: 'NO123456789',
  PL: 'PL1234567890', PT: 'PT123456789', RO: 'RO1234567890', SE: 'SE123456789001', SI: 'SI12345678', SK: 'SK1234567890',
};

/** An example of how ids of the country are written; undefined if their form is unknown. */
export function taxIdExample(country: string): string | undefined {
  const home = vatHomeOf(country);
  return home === 'CA' ? '123456789RT0001' : (vatExamples[home] ?? localIdExample(home));
}

/** The maximum length of an id with its separators, in code units. */
const mostUnits = 60;

/**
 * Checks form and check digits, offline. Ids of Monaco and Guadeloupe count as French, ids of the Isle of Man as
 * British.
 */
export function checkTaxIdFormat(id: string, country: string): CheckedTaxId {
  const vatCountry = vatHomeOf(country);
  const written = rewritten(compact(id.slice(0, mostUnits + 1)), vatCountry);
  if (id.length > mostUnits) return checked(written, country, undefined, formatNameOf(vatCountry));
  if (vatCountry === 'CA') return checkedCanadian(written, country);
  const found = numberOf(written, vatCountry, country);
  const check = checked(written, country, found, formatNameOf(vatCountry));
  return vatCountry === 'AU' && found ? { ...check, statement: 'gst_registered' } : check;
}

const checked = (written: string, country: string, found: string | undefined, formatName: string): CheckedTaxId => ({
  id: found ?? written,
  country,
  status: found === undefined ? 'invalid' : 'unverified',
  formatName,
});

function checkedCanadian(written: string, country: string): CheckedTaxId {
  const ids = readCanadianIds(written);
  const check = checked(written, country, ids?.id, canadianName(ids?.kinds));
  return ids ? { ...check, kinds: ids.kinds } : check;
}

/**
 * The number in the form of its register; undefined if it cannot be a tax id. Liechtenstein has its own numbers in
 * addition to the Swiss ones.
 */
function numberOf(written: string, vatCountry: string, country: string): string | undefined {
  const rule = vatRules.get(vatCountry);
  if (rule) return asVatNumber(written, vatCountry, rule) ?? inLocalForm(written, country);
  return hasLocalForm(vatCountry) ? inLocalForm(written, vatCountry) : asLocalNumber(written);
}

/** Refuses an id that is certainly wrong. The buyer may leave it out and pay as a consumer. */
export function assertTaxId({ id, country, status, formatName }: CheckedTaxId): void {
  if (status !== 'invalid') return;
  throw refuse('INVALID_TAX_ID', 'tax_id', brokenRule(sentences.tax_id, { taxId: id, country, format: formatName }));
}

/** The number in the form of its register. It adds the prefix if the buyer has left it out. */
function asVatNumber(written: string, country: string, rule: Country): string | undefined {
  const number = hasPrefix(written) ? written : `${prefixes[country] ?? country}${written}`;
  return checkVAT(number, [rule]).isValid ? number : undefined;
}

/**
 * Whether the number begins with the prefix of a country. Without this check, a Greek number such as `GR094259216`
 * could become a French one, `FRGR094259216`.
 */
const hasPrefix = (written: string): boolean =>
  ['EL', 'XI', ...vatRules.keys()].some((prefix) => written.startsWith(prefix));

/** Accepts a text that looks like a number, for countries without a rule. It refuses VAT numbers of another country. */
function asLocalNumber(written: string): string | undefined {
  const isNumber = /^[A-Z0-9]{5,20}$/.test(written) && (written.match(/\d/g)?.length ?? 0) >= 5;
  return isNumber && !checkVAT(written, [...vatRules.values()]).isValid ? written : undefined;
}

const compact = (id: string): string => id.toUpperCase().replace(/[\s.\-/]/g, '');

function rewritten(id: string, country: string): string {
  const [from, to] = rewrites[country] ?? ['', ''];
  return from && id.startsWith(from) ? to + id.slice(from.length) : id;
}

function formatNameOf(country: string): string {
  if (country === 'CA') return canadianName();
  if (unionCountries.has(country)) return 'EU VAT';
  return vatRules.has(country) ? `${country} VAT` : (localIdName(country) ?? 'Tax ID');
}

/** Checks only the form of a tax id, without a register, and refuses a wrong one. */
export const taxIdFormChecker =
  (now: () => Date): CheckTaxId =>
  async (id, country) => {
    const check = checkTaxIdFormat(id, country);
    assertTaxId(check);
    return { ...check, checkedAt: now().toISOString() };
  };
