import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  currencies,
  currencyFloor,
  isCurrency,
  isPaidCurrency,
  minorUnitDigits,
  paidCurrencies,
} from '../../shared/domain/money/currency.ts';

/** ISO 4217, list one: what `Intl` would get wrong is among them. */
const zeroDigits = 'BIF CLP DJF GNF JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const threeDigits = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');
const wrongInIntl = 'ALL COP HUF IDR LAK LBP MGA MMK PKR SOS YER'.split(' ');

const documented = (
  'AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CLP CNY COP CRC ' +
  'CUP CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD JMD ' +
  'JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR ' +
  'MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD ' +
  'SSP STN SVC SZL THB TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW'
).split(' ');

/** Every code of ISO 4217, with its source in `iso-4217/README.md`. */
const published = new Map(
  readFileSync(new URL('iso-4217/codes.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([code = '', minorUnit = '', withdrawn = '']) => [code, { minorUnit, withdrawn }] as const),
);

const floors: Record<string, number> = Object.fromEntries(
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
  }).flatMap(([floor, codes]) => codes.split(' ').map((code) => [code, Number(floor)])),
);

describe('the currencies', () => {
  it('are the 143 of the API’s published list, without BGN and ANG, and with XCG', () => {
    expect(currencies).toEqual(documented);
    expect(currencies).toHaveLength(142); // 143 − BGN − ANG + XCG
  });

  it.each([
    'ANG',
    'BGN',
    'HRK',
    'SLL',
    'ISK',
    'UYI',
    'XXX',
    'XTS',
    'BTC',
    'eur',
    'EURO',
    'EU',
    '',
    'constructor',
    '__proto__',
  ])('do not include %j', (code) => {
    expect(isCurrency(code)).toBe(false);
    if (!paidCurrencies.includes(code))
      expect(() => minorUnitDigits(code)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_CURRENCY' }));
  });

  it.each(['ANG', 'BGN'])(
    'still have two decimals for the withdrawn %s, so old payments in it stay readable',
    (code) => {
      expect([isPaidCurrency(code), minorUnitDigits(code)]).toEqual([true, 2]);
    },
  );

  it('have no, two or three decimals, as ISO 4217 says', () => {
    for (const code of currencies) {
      const digits = zeroDigits.includes(code) ? 0 : threeDigits.includes(code) ? 3 : 2;
      expect({ code, digits: minorUnitDigits(code) }).toEqual({ code, digits });
    }
  });

  it.each(wrongInIntl)('have two decimals for %s, although Intl says otherwise', (code) => {
    expect(minorUnitDigits(code)).toBe(2);
  });

  it('are all in force in ISO’s published list, with the decimals of that list', () => {
    expect(published.size).toBe(178 + 129);
    const ours = currencies.map((code) => ({ code, minorUnit: String(minorUnitDigits(code)), withdrawn: '' }));
    expect(ours).toEqual(currencies.map((code) => ({ code, ...published.get(code) })));
  });

  it('cannot be used for new sales after ISO withdraws them, but stay readable', () => {
    const withdrawn = paidCurrencies.filter((code) => !currencies.includes(code));
    expect(withdrawn.map((code) => [code, published.get(code)?.withdrawn])).toEqual([
      ['ANG', '2025-03'],
      ['BGN', '2026-01'],
    ]);
  });

  it('have exactly the minimum amounts that card processors require', () => {
    expect(Object.fromEntries(currencies.map((code) => [code, currencyFloor(code)]))).toEqual(
      Object.fromEntries(currencies.map((code) => [code, floors[code] ?? 0])),
    );
  });
});
