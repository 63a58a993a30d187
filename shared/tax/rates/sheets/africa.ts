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
    CI: [
      ['standard digital_products saas', { TVA: '0.18' }, '2022-01-04..', 'medium', 'vatcalc-ci sovos-ci', 'simplified registration works since 2024-04-09'],
      ['edtech', { TVA: '0.18' }, '2022-01-04..', 'low', 'vatcalc-ci sovos-ci', courses],
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
    ET: [
      ['standard digital_products saas', { VAT: '0.15' }, '2024-08-21..', 'medium', 'dpa-et kpmg-et', 'enforcement against foreign sellers was unclear in 2025-07: only with a registration'],
      ['edtech', { VAT: '0.15' }, '2024-08-21..', 'low', 'dpa-et kpmg-et', courses],
      ['e_book', { VAT: '0.15' }, '2024-08-21..', 'medium', 'dpa-et kpmg-et', 'electronic books are named in the regulation'],
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
    RW: [
      ['digital_products saas', { VAT: '0.18' }, '2026-04-29..', 'medium', 'kpmg-rw', 'three months to register; e-books refused: books are exempt, and whether electronic ones share it is open'],
      ['edtech', { VAT: '0.18' }, '2026-04-29..', 'low', 'kpmg-rw', courses],
    ],
    SN: [
      ['standard digital_products saas', { TVA: '0.18' }, '2024-07-01..', 'high', 'kpmg-sn afronumerik-sn', 'start moved from 2024-04-01'],
      ['edtech', { TVA: '0.18' }, '2024-07-01..', 'low', 'kpmg-sn afronumerik-sn', courses],
      ['e_book', { TVA: '0.18' }, '2024-07-01..', 'medium', 'kpmg-sn afronumerik-sn'],
    ],
    TZ: [
      ['standard digital_products saas', { VAT: '0.18' }, '..', 'medium', 'avalara sales-tax gumroad vatupdate-tz baker-tz', 'a 16 % rate for electronic B2C payments was enacted for 2025-09-01, then put off; confirm'],
      ['edtech', { VAT: '0.18' }, '..', 'low', 'avalara sales-tax gumroad', courses],
    ],
    UG: [
      ['standard digital_products saas', { VAT: '0.18' }, '2022-07-01..', 'high', 'pwc-ug vatcalc-ug', 'consumers; quarterly return'],
      ['edtech', { VAT: '0.18' }, '2022-07-01..', 'low', 'pwc-ug vatcalc-ug', courses],
    ],
    ZA: [
      ['standard digital_products saas', { VAT: '0.15' }, '2018-04-01..', 'high', 'avalara sales-tax gumroad openaccountants', 'kdeldycke still 14% (stale)'],
      ['edtech', { VAT: '0.15' }, '2018-04-01..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
      ['e_book', { VAT: '0.15' }, '..', 'medium', 'gumroad'],
    ],
    ZM: [
      ['standard digital_products saas', { VAT: '0.16' }, '2024-04-01..', 'high', 'kpmg-zm pwc-zm', 'regulations on electronic services since 2024-04-01'],
      ['edtech', { VAT: '0.16' }, '2024-04-01..', 'low', 'kpmg-zm pwc-zm', courses],
      ['e_book', { VAT: '0.16' }, '2024-04-01..', 'medium', 'kpmg-zm pwc-zm'],
    ],
  },
};
