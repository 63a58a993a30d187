import { courses, customerLocation, downloads, euCourses, localOnTop, noLocal } from '../notes.ts';
import { type SupersededRates, stateTax } from '../rate-sheet.ts';

/** The places that had different facts in the table of 2026-08-05, which version 0.1 has, with all their lines. */
// biome-ignore format: one rate per line, with the categories that share it
export const ratesOf20260805: SupersededRates = {
  version: '2026-08-05.fa31ac2c',
  checkedOn: '2026-08-05',
  rates: {
    'AT-6691': [
      ['standard', { VAT: '0.19' }, '..', 'medium', 'kdeldycke ibericode', 'Jungholz (postal code)'],
    ],
    'AT-6991..6993': [
      ['standard', { VAT: '0.19' }, '..', 'medium', 'kdeldycke ibericode', 'Mittelberg (postal codes)'],
    ],
    BG: [
      ['standard', { VAT: '0.2' }, '1999-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants', 'sales-tax lists currency BGN; Bulgaria is reported to use EUR from 2026-01-01 (unverified)'],
      ['digital_products saas', { VAT: '0.2' }, '1999-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.2' }, '1999-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.09' }, '2020-07-01..', 'low', 'openaccountants orbitax', 'CONFLICT: an audit in antiwork/gumroad (2026-06) says 20% (reduced rate print only); NRA 2020 guidance and openaccountants 2026 say 9% incl. electronic. Check ZDDS art. 66(2).'],
    ],
    DK: [
      ['standard', { VAT: '0.25' }, '1992-01-01..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.25' }, '1992-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.25' }, '1992-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.25' }, '..', 'low', 'gumroad-eu vatupdate-dk', 'Government announced (Aug 2025) abolition of VAT on books in the 2026 budget; adoption and effective date NOT established; antiwork/gumroad still had 25% in June 2026. Verify before use.'],
    ],
    FI: [
      ['standard', { VAT: '0.24' }, '..2024-09-01', 'high', 'sales-tax kdeldycke', 'historic'],
      ['standard', { VAT: '0.255' }, '2024-09-01..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.255' }, '2024-09-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.255' }, '2024-09-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.14' }, '..2026-01-01', 'medium', 'tungsten vatupdate-fi', 'historic; start date unknown'],
      ['e_book', { VAT: '0.135' }, '2026-01-01..', 'high', 'gumroad-eu vatapi tungsten-books', '10% earlier, 14% in 2025, 13.5% from 2026'],
    ],
    'FR-GP': [
      ['standard', { VAT: '0.085' }, '..', 'medium', 'kdeldycke ibericode', 'Guadeloupe'],
    ],
    'FR-MQ': [
      ['standard', { VAT: '0.085' }, '..', 'medium', 'kdeldycke ibericode', 'Martinique'],
    ],
    'FR-RE': [
      ['standard', { VAT: '0.085' }, '..', 'medium', 'kdeldycke ibericode', 'Reunion'],
    ],
    LT: [
      ['standard', { VAT: '0.21' }, '2009-09-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.21' }, '2009-09-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.21' }, '2009-09-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.05' }, '..', 'medium', 'gumroad-eu gumroad-pwc-lt', 'e-books and electronic non-periodical publications'],
    ],
    'PT-20': [
      ['standard', { VAT: '0.16' }, '..', 'low', 'kdeldycke ibericode', 'Azores: CONFLICT kdeldycke/ibericode 18% vs openaccountants 16%'],
    ],
    'PT-30': [
      ['standard', { VAT: '0.22' }, '..', 'high', 'kdeldycke ibericode', 'Madeira'],
    ],
    CH: [
      ['standard', { VAT: '0.077' }, '2018-01-01..2024-01-01', 'high', 'sales-tax', 'historic'],
      ['standard digital_products saas', { VAT: '0.081' }, '2024-01-01..', 'high', 'avalara sales-tax kdeldycke gumroad'],
      ['edtech', { VAT: '0.081' }, '2024-01-01..', 'low', 'avalara sales-tax kdeldycke gumroad', courses],
      ['e_book', { VAT: '0.026' }, '2024-01-01..', 'high', 'gumroad openaccountants taxand', 'e-books at reduced rate since 2018 (2.5%), 2.6% since 2024; incl. audiobooks per Taxand'],
    ],
    RU: [
      ['standard digital_products saas', { VAT: '0.22' }, '2026-01-01..', 'high', 'avalara openaccountants', 'sales-tax and gumroad still 20%'],
      ['edtech', { VAT: '0.22' }, '2026-01-01..', 'low', 'avalara openaccountants', courses],
    ],
    'US-DC': [
      ['standard', stateTax('0.06'), '..', 'low', 'openaccountants us-codes officerbilling vatcalc-38086', `planned increases to 6.5% (2025-10-01) and 7% (2026-10-01) were legislated in 2024; later repeal or confirmation NOT established; ${noLocal}`],
      ['digital_products', stateTax('0.06'), '..', 'low', 'doola us-codes openaccountants', `rate uncertain, see standard row. ${downloads}; ${noLocal}`],
      ['saas', stateTax('0.06'), '..', 'low', 'doola us-codes openaccountants nexusbystate', `rate uncertain, see standard row; ${noLocal}`],
      ['e_book', stateTax('0.06'), '..', 'low', 'doola us-codes openaccountants', `rate uncertain, see standard row; ${noLocal}`],
    ],
    'US-MS': [
      ['standard', stateTax('0.07'), '..', 'high', 'openaccountants us-codes federalstatelaw salestaxapi', localOnTop],
      ['digital_products', stateTax('0.07'), '..', 'medium', 'doola vatcalc-us us-codes', `${downloads}; ${localOnTop}`],
      ['saas', stateTax('0.07'), '..', 'low', 'us-codes', `doola and openaccountants say no; ${localOnTop}`],
      ['e_book', stateTax('0.07'), '..', 'medium', 'doola vatcalc-us us-codes', localOnTop],
    ],
    CN: [
      ['standard digital_products saas', { VAT: '0.13' }, '..', 'low', 'avalara sales-tax', 'services are commonly 6%; do not use for SaaS without checking'],
      ['edtech', { VAT: '0.13' }, '..', 'low', 'avalara sales-tax', courses],
    ],
    ID: [
      ['standard digital_products saas', { VAT: '0.11' }, '2022-04-01..', 'high', 'avalara sales-tax openaccountants', 'from 2025 nominal 12% on an 11/12 base = effective 11% (unverified)'],
      ['edtech', { VAT: '0.11' }, '2022-04-01..', 'low', 'avalara sales-tax openaccountants', courses],
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
    KZ: [
      ['standard digital_products saas', { VAT: '0.12' }, '..', 'low', 'avalara sales-tax openaccountants', '2026 tax-code reform is reported to raise the rate; unconfirmed: verify'],
      ['edtech', { VAT: '0.12' }, '..', 'low', 'avalara sales-tax openaccountants', courses],
    ],
    PH: [
      ['standard digital_products saas', { VAT: '0.12' }, '..', 'high', 'avalara sales-tax openaccountants'],
      ['edtech', { VAT: '0.12' }, '..', 'low', 'avalara sales-tax openaccountants', courses],
    ],
    TH: [
      ['standard digital_products saas', { VAT: '0.07' }, '..', 'high', 'gumroad openaccountants', 'sales-tax says 10% since 2023-09 (contradicts; 7% there before)'],
      ['edtech', { VAT: '0.07' }, '..', 'low', 'gumroad openaccountants', courses],
      ['e_book', { VAT: '0.07' }, '..', 'medium', 'gumroad'],
    ],
    VN: [
      ['standard digital_products saas', { VAT: '0.1' }, '..', 'medium', 'sales-tax gumroad openaccountants', 'temporary 8% regimes excluded many digital services; verify'],
      ['edtech', { VAT: '0.1' }, '..', 'low', 'sales-tax gumroad openaccountants', courses],
    ],
    GH: [
      ['standard digital_products saas', { VAT: '0.15' }, '..', 'low', 'avalara sales-tax', 'NHIL/GETFund/COVID levies on top not modelled; Stripe models nhil + get_fund as separate tax types'],
      ['edtech', { VAT: '0.15' }, '..', 'low', 'avalara sales-tax', courses],
    ],
    TZ: [
      ['standard digital_products saas', { VAT: '0.18' }, '..', 'high', 'avalara sales-tax gumroad'],
      ['edtech', { VAT: '0.18' }, '..', 'low', 'avalara sales-tax gumroad', courses],
    ],
  },
};
