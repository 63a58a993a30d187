import { courses } from '../notes.ts';
import type { RateSheet } from '../rate-sheet.ts';

/**
 * Asia, the Gulf and the Caucasus. India's `*intra-state*` is not a region code. It stands for a sale within one state.
 */
// biome-ignore format: one rate per line, with the categories that share it
export const asia: RateSheet = {
  checkedOn: '2026-08-05',
  rates: {
    AE: [
      ['standard digital_products saas', { VAT: '0.05' }, '..', 'high', 'sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.05' }, '..', 'low', 'sales-tax gumroad openaccountants', courses],
      ['e_book', { VAT: '0.05' }, '..', 'medium', 'gumroad'],
    ],
    AM: [
      ['standard digital_products saas', { VAT: '0.2' }, '..', 'high', 'avalara sales-tax openaccountants'],
      ['edtech', { VAT: '0.2' }, '..', 'low', 'avalara sales-tax openaccountants', courses],
    ],
    AZ: [
      ['standard digital_products saas', { VAT: '0.18' }, '..', 'high', 'avalara sales-tax openaccountants'],
      ['edtech', { VAT: '0.18' }, '..', 'low', 'avalara sales-tax openaccountants', courses],
    ],
    BD: [
      ['standard digital_products saas', { VAT: '0.15' }, '..', 'high', 'avalara openaccountants'],
      ['edtech', { VAT: '0.15' }, '..', 'low', 'avalara openaccountants', courses],
    ],
    BH: [
      ['standard digital_products saas', { VAT: '0.1' }, '2022-01-01..', 'high', 'avalara gumroad openaccountants', 'sales-tax says 5% (judged wrong)'],
      ['edtech', { VAT: '0.1' }, '2022-01-01..', 'low', 'avalara gumroad openaccountants', courses],
      ['e_book', { VAT: '0.1' }, '..', 'medium', 'gumroad'],
    ],
    CN: [
      ['standard', { VAT: '0.13' }, '..', 'low', 'avalara sales-tax', 'for goods, software sold as goods included'],
      ['digital_products saas', { VAT: '0.06' }, '..', 'medium', 'fiscal-cn baker-cn avalara-cn', 'services and intangibles; foreign sellers cannot register: buyers withhold'],
      ['edtech', { VAT: '0.06' }, '..', 'low', 'fiscal-cn baker-cn avalara-cn', courses],
    ],
    GE: [
      ['standard digital_products saas', { VAT: '0.18' }, '..', 'high', 'sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.18' }, '..', 'low', 'sales-tax gumroad openaccountants', courses],
    ],
    HK: [
      ['standard', 'no_tax', '..', 'medium', 'sales-tax-readme'],
    ],
    ID: [
      ['standard digital_products saas', { VAT: '0.11' }, '2022-04-01..2025-01-01', 'high', 'avalara sales-tax openaccountants', 'historic'],
      ['edtech', { VAT: '0.11' }, '2022-04-01..2025-01-01', 'low', 'avalara sales-tax openaccountants', courses],
      ['standard digital_products saas', { 'PPN (12 % × 11/12)': '0.11' }, '2025-01-01..', 'medium', 'muc-id', '12 % on 11/12 of the price (PMK 131/2024); a base fraction of six places would be inexact'],
      ['edtech', { 'PPN (12 % × 11/12)': '0.11' }, '2025-01-01..', 'low', 'muc-id', courses],
    ],
    IL: [
      ['standard digital_products saas', { VAT: '0.18' }, '2025-01-01..', 'high', 'avalara sales-tax', 'openaccountants says 17% (judged wrong)'],
      ['edtech', { VAT: '0.18' }, '2025-01-01..', 'low', 'avalara sales-tax', courses],
    ],
    IN: [
      ['standard', { IGST: '0.18' }, '2017-07-01..', 'high', 'avalara sales-tax gumroad openaccountants', 'inter-state or imported (OIDAR) supply'],
      ['digital_products saas', { IGST: '0.18' }, '2017-07-01..', 'high', 'avalara gumroad tmi-aar', 'OIDAR / inter-state: IGST'],
      ['edtech', { IGST: '0.18' }, '2017-07-01..', 'low', 'avalara gumroad tmi-aar', 'OIDAR / inter-state: IGST'],
      ['e_book', { IGST: '0.05' }, '..', 'medium', 'in-13-2018 gstgyaan', 'notification dated 2018-07-26; only electronic version of a printed book (4901); otherwise 18%. Gumroad applies 18% to everything. The reform of 2025-09-22 kept the 5 % slab.'],
    ],
    'IN-*intra-state*': [
      ['standard digital_products saas', { CGST: '0.09', SGST: '0.09' }, '2017-07-01..', 'high', 'openaccountants', 'supplier and recipient in the same state/UT; UTGST replaces SGST in union territories'],
      ['e_book', { CGST: '0.025', SGST: '0.025' }, '..', 'medium', 'in-13-2018', 'halves of the IGST row; the reform of 2025-09-22 kept the 5 % slab'],
    ],
    JP: [
      ['standard digital_products saas', { JCT: '0.1' }, '2019-10-01..', 'high', 'avalara kdeldycke gumroad'],
      ['edtech', { JCT: '0.1' }, '2019-10-01..', 'low', 'avalara kdeldycke gumroad', courses],
      ['e_book', { JCT: '0.1' }, '..', 'medium', 'gumroad avalara', 'no e-book relief known'],
    ],
    KH: [
      ['standard digital_products saas', { VAT: '0.1' }, '2022-04-01..', 'high', 'kpmg-kh bnglegal-kh', 'rules of 2021-09-08, applied from 2022-04-01'],
      ['edtech', { VAT: '0.1' }, '2022-04-01..', 'low', 'kpmg-kh bnglegal-kh', courses],
    ],
    KR: [
      ['standard digital_products saas', { VAT: '0.1' }, '2015-07-01..', 'high', 'avalara kdeldycke gumroad openaccountants'],
      ['edtech', { VAT: '0.1' }, '2015-07-01..', 'low', 'avalara kdeldycke gumroad openaccountants', courses],
      ['e_book', { VAT: '0.1' }, '..', 'low', 'gumroad', 'domestic exemption for electronic publications not resolved'],
    ],
    KZ: [
      ['standard digital_products saas', { VAT: '0.12' }, '..2026-01-01', 'high', 'pagero-kz regfollower-kz revenue-kz', 'historic'],
      ['edtech', { VAT: '0.12' }, '..2026-01-01', 'low', 'pagero-kz regfollower-kz revenue-kz', courses],
      ['standard digital_products saas', { VAT: '0.16' }, '2026-01-01..', 'high', 'pagero-kz regfollower-kz revenue-kz', 'the rate of the turnover date'],
      ['edtech', { VAT: '0.16' }, '2026-01-01..', 'low', 'pagero-kz regfollower-kz revenue-kz', courses],
    ],
    LK: [
      ['standard digital_products saas', { VAT: '0.18' }, '2026-07-01..', 'medium', 'taxadvisor-lk vatupdate-lk', 'twice postponed; one source for the start'],
      ['edtech', { VAT: '0.18' }, '2026-07-01..', 'low', 'taxadvisor-lk vatupdate-lk', courses],
    ],
    MY: [
      ['standard digital_products saas', { 'Service tax (SST)': '0.08' }, '2024-03-01..', 'high', 'avalara openaccountants', 'service tax on digital services 8%; sales-tax 10%, Gumroad 6% (older)'],
      ['edtech', { 'Service tax (SST)': '0.08' }, '2024-03-01..', 'low', 'avalara openaccountants', courses],
    ],
    NP: [
      ['digital_products saas', { VAT: '0.13' }, '2022-05-29..', 'medium', 'ey-np orbitax-np', 'e-books refused: the sources differ'],
      ['edtech', { VAT: '0.13' }, '2022-05-29..', 'low', 'ey-np orbitax-np', courses],
    ],
    OM: [
      ['standard digital_products saas', { VAT: '0.05' }, '..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.05' }, '..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
      ['e_book', { VAT: '0.05' }, '..', 'medium', 'gumroad'],
    ],
    PH: [
      ['standard digital_products saas', { VAT: '0.12' }, '..', 'high', 'avalara sales-tax openaccountants'],
      ['edtech', { VAT: '0.12' }, '..', 'low', 'avalara sales-tax openaccountants', courses],
      ['e_book', 'exempt', '2025-06-01..', 'low', 'nirc-109 reyes-ph', 'books also in electronic form, not magazines that are mainly advertising; confirm before use'],
    ],
    SA: [
      ['standard digital_products saas', { VAT: '0.15' }, '2020-07-01..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.15' }, '2020-07-01..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
      ['e_book', { VAT: '0.15' }, '..', 'medium', 'gumroad'],
    ],
    SG: [
      ['standard digital_products saas', { GST: '0.09' }, '2024-01-01..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { GST: '0.09' }, '2024-01-01..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
      ['e_book', { GST: '0.09' }, '..', 'medium', 'gumroad avalara'],
    ],
    TH: [
      ['standard digital_products saas', { VAT: '0.07' }, '..', 'medium', 'gumroad openaccountants nation-th', 'the statutory rate is 10 %; the decree for 7 % ended on 2026-09-30, and its renewal was not found: confirm at rd.go.th'],
      ['edtech', { VAT: '0.07' }, '..', 'low', 'gumroad openaccountants', courses],
      ['e_book', { VAT: '0.07' }, '..', 'medium', 'gumroad'],
    ],
    TW: [
      ['standard digital_products saas', { VAT: '0.05' }, '..', 'high', 'sales-tax avalara openaccountants'],
      ['edtech', { VAT: '0.05' }, '..', 'low', 'sales-tax avalara openaccountants', courses],
    ],
    UZ: [
      ['standard digital_products saas', { VAT: '0.12' }, '2023-01-01..', 'high', 'sales-tax openaccountants', 'Gumroad 15% (stale)'],
      ['edtech', { VAT: '0.12' }, '2023-01-01..', 'low', 'sales-tax openaccountants', courses],
    ],
    VN: [
      ['standard digital_products saas', { VAT: '0.1' }, '2025-07-01..', 'medium', 'jungil-vn regfollower-vn', 'foreign digital suppliers, law 48/2024; whether they share the temporary 8 % (to 2026-12-31) is disputed: a matter for an override'],
      ['edtech', { VAT: '0.1' }, '2025-07-01..', 'low', 'jungil-vn regfollower-vn', courses],
    ],
  },
};
