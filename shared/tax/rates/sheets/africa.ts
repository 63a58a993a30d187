import { courses } from '../notes.ts';
import type { RateSheet } from '../rate-sheet.ts';

/** Africa. */
// biome-ignore format: one rate to a line, with the categories that share it
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
      ['standard digital_products saas', { VAT: '0.15' }, '..', 'low', 'avalara sales-tax', 'NHIL/GETFund/COVID levies on top not modelled; Stripe models nhil + get_fund as separate tax types'],
      ['edtech', { VAT: '0.15' }, '..', 'low', 'avalara sales-tax', courses],
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
      ['standard digital_products saas', { VAT: '0.18' }, '..', 'high', 'avalara sales-tax gumroad'],
      ['edtech', { VAT: '0.18' }, '..', 'low', 'avalara sales-tax gumroad', courses],
    ],
    ZA: [
      ['standard digital_products saas', { VAT: '0.15' }, '2018-04-01..', 'high', 'avalara sales-tax gumroad openaccountants', 'kdeldycke still 14% (stale)'],
      ['edtech', { VAT: '0.15' }, '2018-04-01..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
      ['e_book', { VAT: '0.15' }, '..', 'medium', 'gumroad'],
    ],
  },
};
