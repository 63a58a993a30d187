import { DomainError } from '../errors.ts';

/**
 * The currencies of ISO 4217 (list one), by the digits of their minor unit. `Intl` follows CLDR instead, and differs
 * for about twenty of them.
 */
const zeroDigits = 'BIF CLP DJF GNF JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const threeDigits = 'BHD IQD JOD KWD LYD OMR TND';
const twoDigits =
  'AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CNY COP CRC CUP CVE CZK ' +
  'DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK ' +
  'LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR ' +
  'PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD SSP STN SVC SZL THB TOP TRY TTD TWD TZS UAH USD UYU UZS VES ' +
  'WST XCD XCG YER ZAR ZMW';

/** Currencies that earlier versions sold in, and that ISO 4217 has withdrawn since then. All have two digits. */
const withdrawnCurrencies: readonly string[] = ['ANG', 'BGN'];

const digitsOf: ReadonlyMap<string, number> = new Map(
  [zeroDigits, twoDigits, threeDigits].flatMap((codes, index) =>
    codes.split(' ').map((code): [string, number] => [code, index === 0 ? 0 : index + 1]),
  ),
);

/** The smallest total above zero that card processors accept, in minor units. */
const floors: ReadonlyMap<string, number> = new Map(
  Object.entries({
    30: 'GBP',
    50: 'USD EUR AUD CAD CHF BRL SGD JPY KRW',
    100: 'NZD',
    200: 'PLN RON AED SAR',
    250: 'DKK',
    300: 'SEK NOK ILS XAF XOF',
    400: 'HKD MYR',
    500: 'INR',
    1000: 'MXN CLP',
    1500: 'CZK',
    2000: 'ZAR TRY TWD',
    2500: 'THB',
    4000: 'PYG',
    5000: 'PHP',
    12000: 'VND',
    17500: 'HUF',
    100000: 'ARS',
    200000: 'NGN',
    850000: 'IDR',
  }).flatMap(([floor, codes]) => codes.split(' ').map((code): [string, number] => [code, Number(floor)])),
);

/** The 142 currencies that can be sold in, in alphabetical order. */
export const currencies: readonly string[] = [...digitsOf.keys()].sort();

/** Whether a product can have the currency. */
export const isCurrency = (code: string): boolean => digitsOf.has(code);

/** The currencies that a payment can have, in alphabetical order. It includes the withdrawn ones. */
export const paidCurrencies: readonly string[] = [...currencies, ...withdrawnCurrencies].sort();

/** Whether a payment can have this currency. */
export const isPaidCurrency = (code: string): boolean => isCurrency(code) || withdrawnCurrencies.includes(code);

/**
 * The digits of the minor unit: 0, 2 or 3. Withdrawn currencies keep their digits, so old payments can be shown and
 * refunded.
 */
export function minorUnitDigits(currency: string): number {
  const digits = digitsOf.get(currency) ?? (withdrawnCurrencies.includes(currency) ? 2 : undefined);
  if (digits === undefined) throw new DomainError('UNSUPPORTED_CURRENCY', `${currency} is not a supported currency.`);
  return digits;
}

/** The smallest total above zero in minor units; 0 if the currency has no such limit. */
export const currencyFloor = (currency: string): number => floors.get(currency) ?? 0;
