import type { TaxIdKind } from '../../domain/checkout/buyer.ts';
import { checkDigits, isCanadianBusinessNumber } from './check-digits.ts';

/** The business number of a country that jsvat does not know. */
interface LocalId {
  /** The name of the number: `AU ABN`. */
  name: string;
  /** The form, in upper case without separators. Absent if the number is not checked, but only printed. */
  form?: RegExp;
  /** A made-up number of this form. */
  example?: string;
}

// biome-ignore format: one country per line
const localIds: Readonly<Record<string, LocalId>> = {
  AE: { name: 'AE TRN', form: /^\d{15}$/, example: '123456789012345' },
  AR: { name: 'AR CUIT', form: /^\d{11}$/, example: '12345678901' },
  AU: { name: 'AU ABN', form: /^[1-9]\d{10}$/, example: '12345678901' },
  BH: { name: 'BH TRN', form: /^\d{15}$/, example: '123456789012345' },
  BR: { name: 'BR CNPJ', form: /^[A-Z0-9]{12}\d{2}$/, example: '12345678000199' },
  CL: { name: 'CL RUT', form: /^\d{7,8}[0-9K]$/, example: '12345678K' },
  CO: { name: 'CO NIT', form: /^\d{9,10}$/, example: '123456789' },
  EG: { name: 'EG TRN', form: /^\d{9}$/, example: '123456789' },
  GE: { name: 'GE TIN', form: /^\d{9}$/, example: '123456789' },
  GH: { name: 'GH TIN' },
  ID: { name: 'ID NPWP' },
  IL: { name: 'IL VAT number' },
  IN: { name: 'IN GSTIN', form: /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/, example: '12ABCDE1234F1Z5' },
  IS: { name: 'IS VSK', form: /^\d{5,6}$/, example: '12345' },
  JP: { name: 'JP registration number', form: /^T\d{13}$/, example: 'T1234567890123' },
  KE: { name: 'KE PIN' },
  KR: { name: 'KR BRN', form: /^\d{10}$/, example: '1234567890' },
  KZ: { name: 'KZ BIN', form: /^\d{12}$/, example: '123456789012' },
  LI: { name: 'LI PEID', form: /^\d{5,12}$/, example: '12345' },
  MX: { name: 'MX RFC' },
  NG: { name: 'NG TIN' },
  NZ: { name: 'NZ GST', form: /^(\d{8,9}|\d{13})$/, example: '123456789' },
  OM: { name: 'OM VAT', form: /^OM\d{10}$/, example: 'OM1234567890' },
  PE: { name: 'PE RUC', form: /^\d{11}$/, example: '12345678901' },
  PH: { name: 'PH TIN', form: /^\d{9,14}$/, example: '123456789000' },
  RS: { name: 'RS PIB' },
  RU: { name: 'RU INN', form: /^(\d{10}|\d{12})$/, example: '1234567890' },
  SA: { name: 'SA VAT', form: /^3\d{13}3$/, example: '312345678901233' },
  SG: { name: 'SG GST', form: /^(M[A-Z0-9]\d{7}[A-Z]|\d{8,9}[A-Z]|[RST]\d{2}[A-Z]{2}\d{4}[A-Z])$/, example: 'M12345678X' },
  TH: { name: 'TH TIN', form: /^\d{13}$/, example: '1234567890123' },
  TR: { name: 'TR VKN', form: /^\d{10}$/, example: '1234567890' },
  TW: { name: 'TW UBN', form: /^\d{8}$/, example: '12345678' },
  TZ: { name: 'TZ TIN', form: /^\d{9}$/, example: '123456789' },
  UA: { name: 'UA VAT', form: /^(\d{10}|\d{12})$/, example: '123456789012' },
  UY: { name: 'UY RUT' },
  VN: { name: 'VN MST', form: /^(\d{10}|\d{13})$/, example: '1234567890' },
  ZA: { name: 'ZA VAT' },
};

/** The name of a country's number; undefined if none is known. */
export const localIdName = (country: string): string | undefined => localIds[country]?.name;

/** A number in the form of the country; undefined if no form is known. */
export const localIdExample = (country: string): string | undefined => localIds[country]?.example;

/** Whether the country's numbers have a known form. */
export const hasLocalForm = (country: string): boolean => localIds[country]?.form !== undefined;

/**
 * The number in its country's form, without a country code in front; undefined if the form or a check digit is wrong.
 */
export const inLocalForm = (written: string, country: string): string | undefined => {
  const bare = written.startsWith(country) ? written.slice(2) : written;
  const number = [written, bare, `${country}${bare}`].find((one) => localIds[country]?.form?.test(one));
  return number !== undefined && (checkDigits[country]?.(number) ?? true) ? number : undefined;
};

const canadianForms: Readonly<Record<TaxIdKind, RegExp>> = {
  ca_gst_hst: /\d{9}RT\d{4}/,
  ca_qst: /\d{10}TQ\d{4}/,
};

const canadianNames: Readonly<Record<TaxIdKind, string>> = { ca_gst_hst: 'GST/HST', ca_qst: 'QST' };

/** One or both of a Canadian business's numbers. */
interface CanadianIds {
  /** The numbers as stored: `123456789RT0001, 1234567890TQ0001`. */
  id: string;
  kinds: TaxIdKind[];
}

/**
 * Whether the check digit is right. It checks the first nine digits of `123026635RT0001`. For QST numbers, no rule is
 * known.
 */
const hasCheckDigit = ({ kind, number }: { kind: TaxIdKind; number: string }): boolean =>
  kind === 'ca_qst' || isCanadianBusinessNumber(number.slice(0, 9));

/**
 * Reads a GST/HST number, a QST number or both, in any order. Undefined for any other text, or if a check digit is
 * wrong.
 */
export function readCanadianIds(written: string): CanadianIds | undefined {
  const found = (['ca_gst_hst', 'ca_qst'] as const).flatMap((kind) => {
    const number = canadianForms[kind].exec(written)?.[0];
    return number === undefined ? [] : [{ kind, number }];
  });
  const rest = found.reduce((text, { number }) => text.replace(number, ''), written);
  if (found.length === 0 || /[^,;+&]/.test(rest) || !found.every(hasCheckDigit)) return undefined;
  return { id: found.map(({ number }) => number).join(', '), kinds: found.map(({ kind }) => kind) };
}

/** The names of the numbers: `CA GST/HST, QST`. If no number was read yet, it has both names. */
export const canadianName = (kinds: readonly TaxIdKind[] = ['ca_gst_hst', 'ca_qst']): string =>
  `CA ${kinds.map((kind) => canadianNames[kind]).join(', ')}`;
