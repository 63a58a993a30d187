import { courses } from '../notes.ts';
import type { RateSheet } from '../rate-sheet.ts';

/** Asia, the Gulf and the Caucasus. India's `*intra-state*` is a rule, not a code: a sale within one state. */
// biome-ignore format: one rate to a line, with the categories that share it
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
      ['standard digital_products saas', { VAT: '0.13' }, '..', 'low', 'avalara sales-tax', 'services are commonly 6%; do not use for SaaS without checking'],
      ['edtech', { VAT: '0.13' }, '..', 'low', 'avalara sales-tax', courses],
    ],
    GE: [
      ['standard digital_products saas', { VAT: '0.18' }, '..', 'high', 'sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.18' }, '..', 'low', 'sales-tax gumroad openaccountants', courses],
    ],
    HK: [
      ['standard', 'no_tax', '..', 'medium', 'sales-tax-readme'],
    ],
    ID: [
      ['standard digital_products saas', { VAT: '0.11' }, '2022-04-01..', 'high', 'avalara sales-tax openaccountants', 'from 2025 nominal 12% on an 11/12 base = effective 11% (unverified)'],
      ['edtech', { VAT: '0.11' }, '2022-04-01..', 'low', 'avalara sales-tax openaccountants', courses],
    ],
    IL: [
      ['standard digital_products saas', { VAT: '0.18' }, '2025-01-01..', 'high', 'avalara sales-tax', 'openaccountants says 17% (judged wrong)'],
      ['edtech', { VAT: '0.18' }, '2025-01-01..', 'low', 'avalara sales-tax', courses],
    ],
    IN: [
      ['standard', { IGST: '0.18' }, '2017-07-01..', 'high', 'avalara sales-tax gumroad openaccountants', 'inter-state or imported (OIDAR) supply'],
      ['digital_products saas', { IGST: '0.18' }, '2017-07-01..', 'high', 'avalara gumroad tmi-aar', 'OIDAR / inter-state: IGST'],
      ['edtech', { IGST: '0.18' }, '2017-07-01..', 'low', 'avalara gumroad tmi-aar', 'OIDAR / inter-state: IGST'],
      ['e_book', { IGST: '0.05' }, '..', 'medium', 'in-13-2018 gstgyaan', 'notification dated 2018-07-26; only electronic version of a printed book (4901); otherwise 18%. Gumroad applies 18% to everything. Status after the Sept 2025 GST reform not verified.'],
    ],
    'IN-*intra-state*': [
      ['standard digital_products saas', { CGST: '0.09', SGST: '0.09' }, '2017-07-01..', 'high', 'openaccountants', 'supplier and recipient in the same state/UT; UTGST replaces SGST in union territories'],
    ],
    JP: [
      ['standard digital_products saas', { JCT: '0.1' }, '2019-10-01..', 'high', 'avalara kdeldycke gumroad'],
      ['edtech', { JCT: '0.1' }, '2019-10-01..', 'low', 'avalara kdeldycke gumroad', courses],
      ['e_book', { JCT: '0.1' }, '..', 'medium', 'gumroad avalara', 'no e-book relief known'],
    ],
    KR: [
      ['standard digital_products saas', { VAT: '0.1' }, '2015-07-01..', 'high', 'avalara kdeldycke gumroad openaccountants'],
      ['edtech', { VAT: '0.1' }, '2015-07-01..', 'low', 'avalara kdeldycke gumroad openaccountants', courses],
      ['e_book', { VAT: '0.1' }, '..', 'low', 'gumroad', 'domestic exemption for electronic publications not resolved'],
    ],
    KZ: [
      ['standard digital_products saas', { VAT: '0.12' }, '..', 'low', 'avalara sales-tax openaccountants', '2026 tax-code reform is reported to raise the rate; unconfirmed: verify'],
      ['edtech', { VAT: '0.12' }, '..', 'low', 'avalara sales-tax openaccountants', courses],
    ],
    MY: [
      ['standard digital_products saas', { 'Service tax (SST)': '0.08' }, '2024-03-01..', 'high', 'avalara openaccountants', 'service tax on digital services 8%; sales-tax 10%, Gumroad 6% (older)'],
      ['edtech', { 'Service tax (SST)': '0.08' }, '2024-03-01..', 'low', 'avalara openaccountants', courses],
    ],
    OM: [
      ['standard digital_products saas', { VAT: '0.05' }, '..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { VAT: '0.05' }, '..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
      ['e_book', { VAT: '0.05' }, '..', 'medium', 'gumroad'],
    ],
    PH: [
      ['standard digital_products saas', { VAT: '0.12' }, '..', 'high', 'avalara sales-tax openaccountants'],
      ['edtech', { VAT: '0.12' }, '..', 'low', 'avalara sales-tax openaccountants', courses],
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
      ['standard digital_products saas', { VAT: '0.07' }, '..', 'high', 'gumroad openaccountants', 'sales-tax says 10% since 2023-09 (contradicts; 7% there before)'],
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
      ['standard digital_products saas', { VAT: '0.1' }, '..', 'medium', 'sales-tax gumroad openaccountants', 'temporary 8% regimes excluded many digital services; verify'],
      ['edtech', { VAT: '0.1' }, '..', 'low', 'sales-tax gumroad openaccountants', courses],
    ],
  },
};
