import { courses } from '../notes.ts';
import type { RateSheet } from '../rate-sheet.ts';

/** Africa. */
// biome-ignore format: one rate per line, with the categories that share it
export const africa: RateSheet = {
  checkedOn: '2026-08-05',
  rates: {
    AO: [
      ['standard digital_products saas', { VAT: '0.14' }, '..', 'high', 'avalara sales-tax'],
      ['edtech', { VAT: '0.14' }, '..', 'low', 'avalara sales-tax', courses],
    ],
    CM: [
      ['standard digital_products saas', { VAT: '0.1925' }, '..', 'high', 'avalara openaccountants'],
      ['edtech', { VAT: '0.1925' }, '..', 'low', 'avalara openaccountants', courses],
    ],
    DZ: [
      ['standard digital_products saas', { VAT: '0.19' }, '..', 'high', 'avalara sales-tax openaccountants'],
      ['edtech', { VAT: '0.19' }, '..', 'low', 'avalara sales-tax openaccountants', courses],
    ],
    EG: [
      ['standard digital_products saas', { VAT: '0.14' }, '..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.14' }, '..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
    ],
    GH: [
      ['standard digital_products saas', { VAT: ['0.15', '1.06'], NHIL: '0.025', GETFund: '0.025', 'COVID-19 levy': '0.01' }, '2023-01-01..2026-01-01', 'medium', 'pwc-gh pulse-gh', 'VAT is charged on the price and 6 % of levies: 15.9 + 6 = 21.9 %'],
      ['edtech', { VAT: ['0.15', '1.06'], NHIL: '0.025', GETFund: '0.025', 'COVID-19 levy': '0.01' }, '2023-01-01..2026-01-01', 'low', 'pwc-gh pulse-gh', courses],
      ['standard digital_products saas', { VAT: '0.15', NHIL: '0.025', GETFund: '0.025' }, '2026-01-01..', 'high', 'pulse-gh sikaman-gh gh-act-1151', '20 % in all, every component on the same net; levies are creditable since 2026'],
      ['edtech', { VAT: '0.15', NHIL: '0.025', GETFund: '0.025' }, '2026-01-01..', 'low', 'pulse-gh sikaman-gh gh-act-1151', courses],
    ],
    KE: [
      ['standard digital_products saas', { VAT: '0.16' }, '..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.16' }, '..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
    ],
    MA: [
      ['standard digital_products saas', { VAT: '0.2' }, '..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.2' }, '..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
    ],
    MU: [
      ['standard digital_products saas', { VAT: '0.15' }, '..', 'high', 'avalara sales-tax openaccountants'],
      ['edtech', { VAT: '0.15' }, '..', 'low', 'avalara sales-tax openaccountants', courses],
    ],
    NG: [
      ['standard digital_products saas', { VAT: '0.075' }, '2020-02-01..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.075' }, '2020-02-01..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
    ],
    TZ: [
      ['standard digital_products saas', { VAT: '0.18' }, '..', 'medium', 'avalara sales-tax gumroad vatupdate-tz baker-tz', 'a 16 % rate for electronic B2C payments was enacted for 2025-09-01, then put off; confirm'],
      ['edtech', { VAT: '0.18' }, '..', 'low', 'avalara sales-tax gumroad', courses],
    ],
    ZA: [
      ['standard digital_products saas', { VAT: '0.15' }, '2018-04-01..', 'high', 'avalara sales-tax gumroad openaccountants', 'kdeldycke still 14% (stale)'],
      ['edtech', { VAT: '0.15' }, '2018-04-01..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
      ['e_book', { VAT: '0.15' }, '..', 'medium', 'gumroad'],
    ],
  },
};
