import { courses } from '../notes.ts';
import type { RateSheet } from '../rate-sheet.ts';

/** Europe outside the European Union. */
// biome-ignore format: one rate per line, with the categories that share it
export const europe: RateSheet = {
  checkedOn: '2026-08-05',
  rates: {
    AD: [
      ['standard digital_products saas', { IGI: '0.045' }, '..', 'high', 'avalara sales-tax'],
      ['edtech', { IGI: '0.045' }, '..', 'low', 'avalara sales-tax', courses],
    ],
    AL: [
      ['standard digital_products saas', { VAT: '0.2' }, '2015-01-01..', 'high', 'avalara sales-tax kdeldycke openaccountants'],
      ['edtech', { VAT: '0.2' }, '2015-01-01..', 'low', 'avalara sales-tax kdeldycke openaccountants', courses],
    ],
    BA: [
      ['standard digital_products saas', { VAT: '0.17' }, '..', 'medium', 'sales-tax openaccountants'],
      ['edtech', { VAT: '0.17' }, '..', 'low', 'sales-tax openaccountants', courses],
    ],
    BY: [
      ['standard digital_products saas', { VAT: '0.2' }, '..', 'high', 'avalara sales-tax gumroad'],
      ['edtech', { VAT: '0.2' }, '..', 'low', 'avalara sales-tax gumroad', courses],
    ],
    CH: [
      ['standard', { VAT: '0.077' }, '2018-01-01..2024-01-01', 'high', 'sales-tax', 'historic'],
      ['standard digital_products saas', { VAT: '0.081' }, '2024-01-01..', 'high', 'avalara sales-tax kdeldycke gumroad vatupdate-ch', 'no change before 2028'],
      ['edtech', { VAT: '0.081' }, '2024-01-01..', 'low', 'avalara sales-tax kdeldycke gumroad', courses],
      ['e_book', { VAT: '0.026' }, '2024-01-01..', 'high', 'gumroad openaccountants taxand', 'e-books at reduced rate since 2018 (2.5%), 2.6% since 2024; incl. audiobooks per Taxand'],
    ],
    GB: [
      ['standard digital_products saas', { VAT: '0.2' }, '2011-01-04..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['edtech', { VAT: '0.2' }, '2011-01-04..', 'low', 'kdeldycke ibericode sales-tax openaccountants', courses],
      ['e_book', { VAT: '0' }, '2020-05-01..', 'high', 'gov-uk vbooks gumroad-eu openaccountants', 'audiobooks and publications >50% advertising/audio/video are standard-rated'],
    ],
    IM: [
      ['standard digital_products saas', { VAT: '0.2' }, '..', 'high', 'kdeldycke sales-tax'],
      ['edtech', { VAT: '0.2' }, '..', 'low', 'kdeldycke sales-tax', courses],
    ],
    IS: [
      ['standard digital_products saas', { VAT: '0.24' }, '..', 'high', 'avalara sales-tax openaccountants gumroad'],
      ['edtech', { VAT: '0.24' }, '..', 'low', 'avalara sales-tax openaccountants gumroad', courses],
      ['e_book', { VAT: '0.11' }, '..', 'low', 'gumroad openaccountants', 'CONFLICT: 2018 announcements of zero-rating e-books from 2019 (fiscalsolutions, vatinternational) vs Gumroad 2025 and openaccountants 2026: 11%'],
    ],
    LI: [
      ['standard digital_products saas', { VAT: '0.081' }, '2024-01-01..', 'medium', 'openaccountants', 'Swiss VAT area; sales-tax still 7.7% (judged wrong)'],
      ['edtech', { VAT: '0.081' }, '2024-01-01..', 'low', 'openaccountants', courses],
      ['e_book', { VAT: '0.026' }, '..', 'low', 'openaccountants', 'reduced rate for books according to openaccountants; electronic treatment assumed as CH'],
    ],
    MC: [
      ['standard digital_products saas', { VAT: '0.2' }, '..', 'high', 'kdeldycke sales-tax'],
      ['edtech', { VAT: '0.2' }, '..', 'low', 'kdeldycke sales-tax', courses],
    ],
    MD: [
      ['standard digital_products saas', { VAT: '0.2' }, '..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.2' }, '..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
    ],
    ME: [
      ['standard digital_products saas', { VAT: '0.21' }, '..', 'medium', 'openaccountants'],
      ['edtech', { VAT: '0.21' }, '..', 'low', 'openaccountants', courses],
    ],
    MK: [
      ['standard digital_products saas', { VAT: '0.18' }, '..', 'medium', 'sales-tax openaccountants'],
      ['edtech', { VAT: '0.18' }, '..', 'low', 'sales-tax openaccountants', courses],
    ],
    NO: [
      ['standard digital_products saas', { VAT: '0.25' }, '2011-07-01..', 'high', 'avalara sales-tax gumroad'],
      ['edtech', { VAT: '0.25' }, '2011-07-01..', 'low', 'avalara sales-tax gumroad', courses],
      ['e_book', { VAT: '0' }, '2019-07-01..', 'high', 'gumroad vatupdate-2020 avalara-books'],
    ],
    RS: [
      ['standard digital_products saas', { VAT: '0.2' }, '..', 'high', 'avalara sales-tax gumroad'],
      ['edtech', { VAT: '0.2' }, '..', 'low', 'avalara sales-tax gumroad', courses],
    ],
    RU: [
      ['standard digital_products saas', { VAT: '0.2' }, '2019-01-01..2026-01-01', 'medium', 'own-knowledge', 'historic'],
      ['standard digital_products saas', { VAT: '0.22' }, '2026-01-01..', 'high', 'avalara openaccountants', 'sales-tax and gumroad still 20%'],
      ['edtech', { VAT: '0.22' }, '2026-01-01..', 'low', 'avalara openaccountants', courses],
    ],
    TR: [
      ['standard digital_products saas', { VAT: '0.2' }, '2023-07-10..', 'high', 'sales-tax gumroad openaccountants', 'e-book: a 2013 source says 8%, antiwork/gumroad applies 20%: no e_book row'],
      ['edtech', { VAT: '0.2' }, '2023-07-10..', 'low', 'sales-tax gumroad openaccountants', courses],
    ],
    UA: [
      ['standard digital_products saas', { VAT: '0.2' }, '..', 'high', 'sales-tax gumroad'],
      ['edtech', { VAT: '0.2' }, '..', 'low', 'sales-tax gumroad', courses],
    ],
    XK: [
      ['standard digital_products saas', { VAT: '0.18' }, '..', 'medium', 'sales-tax openaccountants'],
      ['edtech', { VAT: '0.18' }, '..', 'low', 'sales-tax openaccountants', courses],
    ],
  },
};
