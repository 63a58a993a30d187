import { customerLocation, enclaves, euCourses, overseasBooks } from '../notes.ts';
import type { RateSheet } from '../rate-sheet.ts';

/** The 27 member states, and the territories inside them with different VAT or none. */
// biome-ignore format: one rate per line, with the categories that share it
export const europeanUnion: RateSheet = {
  checkedOn: '2026-08-05',
  rates: {
    AT: [
      ['standard', { VAT: '0.2' }, '1984-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.2' }, '1984-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.2' }, '1984-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.1' }, '2020-01-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books steuersaetze'],
    ],
    'AT-6691': [
      ['standard', { VAT: '0.19' }, '..', 'medium', 'kdeldycke ibericode', 'Jungholz (postal code)'],
      ['e_book', { VAT: '0.1' }, '2020-01-01..', 'medium', 'oecd-2022', enclaves],
    ],
    'AT-6991..6993': [
      ['standard', { VAT: '0.19' }, '..', 'medium', 'kdeldycke ibericode', 'Mittelberg (postal codes)'],
      ['e_book', { VAT: '0.1' }, '2020-01-01..', 'medium', 'oecd-2022', enclaves],
    ],
    BE: [
      ['standard', { VAT: '0.21' }, '1996-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.21' }, '1996-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.21' }, '1996-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.06' }, '2019-04-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books'],
    ],
    BG: [
      ['standard', { VAT: '0.2' }, '1999-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants', 'Bulgaria uses the euro since 2026-01-01'],
      ['digital_products saas', { VAT: '0.2' }, '1999-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.2' }, '1999-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.2' }, '..2020-07-01', 'high', 'vatupdate-bg vatupdate-bg-permanent', 'historic'],
      ['e_book', { VAT: '0.09' }, '2020-07-01..', 'high', 'vatupdate-bg vatupdate-bg-permanent orbitax openaccountants', 'VAT Act art. 66a(2): on physical media or electronically; permanent since 2023'],
    ],
    CY: [
      ['standard', { VAT: '0.19' }, '2014-01-13..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.19' }, '2014-01-13..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.19' }, '2014-01-13..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.03' }, '2023-07-21..', 'high', 'gumroad-eu gumroad-alerts', 'was 19% for e-books in older lists'],
    ],
    CZ: [
      ['standard', { VAT: '0.21' }, '2013-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.21' }, '2013-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.21' }, '2013-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0' }, '2024-01-01..', 'high', 'gumroad-eu joyful-printing', 'zero rate on books since 2024; older sources say 10%/12%'],
    ],
    DE: [
      ['standard', { VAT: '0.16' }, '2020-07-01..2021-01-01', 'high', 'sales-tax vatnode', 'historic (COVID cut)'],
      ['standard', { VAT: '0.19' }, '2021-01-01..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.19' }, '2021-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.19' }, '2021-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.07' }, '2020-01-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books openaccountants'],
    ],
    'DE-27498': [
      ['standard', 'outside_scope', '..', 'medium', 'kdeldycke ibericode', 'Heligoland (postal code)'],
    ],
    'DE-78266': [
      ['standard', 'outside_scope', '..', 'medium', 'kdeldycke ibericode', 'Buesingen (postal code)'],
    ],
    DK: [
      ['standard', { VAT: '0.25' }, '1992-01-01..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.25' }, '1992-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.25' }, '1992-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.25' }, '1992-01-01..', 'low', 'gumroad-eu vatupdate-dk regfollower-dk vatupdate-dk-2026', '0 % is proposed in the 2026 finance bill, and still called so in 2026-03; no enacting law found: check skat.dk'],
    ],
    EE: [
      ['standard', { VAT: '0.22' }, '2024-01-01..2025-07-01', 'high', 'sales-tax kdeldycke', 'historic'],
      ['standard', { VAT: '0.24' }, '2025-07-01..', 'high', 'kdeldycke ibericode sales-tax', 'openaccountants still shows 22% (stale)'],
      ['digital_products saas', { VAT: '0.24' }, '2025-07-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.24' }, '2025-07-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.09' }, '2020-05-01..', 'high', 'gumroad-eu vatupdate-2020 tolley', 'books print and digital; not video/music/advertising'],
    ],
    ES: [
      ['standard', { VAT: '0.21' }, '2012-09-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.21' }, '2012-09-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.21' }, '2012-09-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.04' }, '2020-04-23..', 'high', 'gumroad-eu vatupdate-2020 kik-bg'],
    ],
    'ES-CE': [
      ['standard', 'outside_scope', '..', 'high', 'kdeldycke ibericode', 'Ceuta: outside EU VAT'],
    ],
    'ES-CN': [
      ['standard', 'outside_scope', '..', 'high', 'kdeldycke ibericode', 'Canary Islands: outside EU VAT (IGIC 7% is a separate tax; sales-tax models it as 21-14)'],
    ],
    'ES-ML': [
      ['standard', 'outside_scope', '..', 'high', 'kdeldycke ibericode', 'Melilla: outside EU VAT'],
    ],
    FI: [
      ['standard', { VAT: '0.24' }, '..2024-09-01', 'high', 'sales-tax kdeldycke', 'historic'],
      ['standard', { VAT: '0.255' }, '2024-09-01..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.255' }, '2024-09-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.255' }, '2024-09-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.24' }, '..2019-07-01', 'medium', 'vatupdate-2019', 'historic'],
      ['e_book', { VAT: '0.1' }, '2019-07-01..2025-01-01', 'high', 'vatupdate-2019 tungsten-books', 'historic'],
      ['e_book', { VAT: '0.14' }, '2025-01-01..2026-01-01', 'high', 'tungsten vatupdate-fi easytax', 'historic'],
      ['e_book', { VAT: '0.135' }, '2026-01-01..', 'high', 'gumroad-eu vatapi tungsten-books easytax'],
    ],
    'FI-01': [
      ['standard', 'outside_scope', '..', 'medium', 'kdeldycke ibericode', 'Aland: outside EU VAT territory'],
    ],
    FR: [
      ['standard', { VAT: '0.2' }, '2014-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.2' }, '2014-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.2' }, '2014-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.055' }, '..', 'medium', 'gumroad-eu openaccountants'],
    ],
    'FR-GF': [
      ['standard', 'outside_scope', '..', 'medium', 'kdeldycke ibericode', 'Guiana: no VAT'],
    ],
    'FR-GP': [
      ['standard', { VAT: '0.085' }, '..', 'medium', 'kdeldycke ibericode', 'Guadeloupe'],
      ['e_book', { VAT: '0.021' }, '..', 'medium', 'assemblee-74633 tvafr', overseasBooks],
    ],
    'FR-MQ': [
      ['standard', { VAT: '0.085' }, '..', 'medium', 'kdeldycke ibericode', 'Martinique'],
      ['e_book', { VAT: '0.021' }, '..', 'medium', 'assemblee-74633 tvafr', overseasBooks],
    ],
    'FR-RE': [
      ['standard', { VAT: '0.085' }, '..', 'medium', 'kdeldycke ibericode', 'Reunion'],
      ['e_book', { VAT: '0.021' }, '..', 'medium', 'assemblee-74633 tvafr', overseasBooks],
    ],
    'FR-YT': [
      ['standard', 'outside_scope', '..', 'medium', 'kdeldycke ibericode', 'Mayotte: no VAT'],
    ],
    GR: [
      ['standard', { VAT: '0.24' }, '2016-06-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.24' }, '2016-06-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.24' }, '2016-06-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.06' }, '2021-07-01..', 'high', 'gumroad-eu vatupdate-kpmg vatcalc-gr', 'vatcalc gives 18 July 2021 (gazette)'],
    ],
    'GR-69': [
      ['standard', 'outside_scope', '..', 'medium', 'kdeldycke ibericode', 'Mount Athos'],
    ],
    HR: [
      ['standard', { VAT: '0.25' }, '..', 'high', 'kdeldycke ibericode sales-tax tax-foundation', 'kdeldycke start date 2023-01-01 is the euro changeover, not a rate change'],
      ['digital_products saas', { VAT: '0.25' }, '..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.25' }, '..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.05' }, '2019-01-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books gumroad-5395'],
    ],
    HU: [
      ['standard', { VAT: '0.27' }, '2012-01-01..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.27' }, '2012-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.27' }, '2012-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.27' }, '..', 'high', 'gumroad-eu 24-hu mkke', 'printed books 5%, e-books standard 27%'],
    ],
    IE: [
      ['standard', { VAT: '0.23' }, '2012-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.23' }, '2012-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.23' }, '2012-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0' }, '2024-01-01..', 'high', 'gumroad-eu revenue-ie', 'e-books and audiobooks zero-rated; some other e-publications 9%'],
    ],
    IT: [
      ['standard', { VAT: '0.22' }, '2013-10-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.22' }, '2013-10-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.22' }, '2013-10-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.04' }, '..', 'medium', 'gumroad-eu accademica', 'needs ISBN/ISSN per Italian practice (unverified)'],
    ],
    'IT-22061': [
      ['standard', 'outside_scope', '..', 'medium', 'kdeldycke ibericode', "Campione d'Italia (ibericode 22061)"],
    ],
    'IT-23041': [
      ['standard', 'outside_scope', '..', 'medium', 'kdeldycke ibericode', 'Livigno (ibericode postcode 23041; kdeldycke 23030)'],
    ],
    LT: [
      ['standard', { VAT: '0.21' }, '2009-09-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.21' }, '2009-09-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.21' }, '2009-09-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.21' }, '..2023-01-01', 'medium', 'simplyvat-lt', 'historic'],
      ['e_book', { VAT: '0.09' }, '2023-01-01..2026-01-01', 'high', 'simplyvat-lt sovos-lt meridian-lt', 'historic'],
      ['e_book', { VAT: '0.05' }, '2026-01-01..', 'high', 'sovos-lt meridian-lt gumroad-eu gumroad-pwc-lt', 'not publications of which more than 4/5 is advertising, or that are mainly music or video'],
    ],
    LU: [
      ['standard', { VAT: '0.16' }, '2023-01-01..2024-01-01', 'high', 'sales-tax kdeldycke', 'historic'],
      ['standard', { VAT: '0.17' }, '2024-01-01..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.17' }, '2024-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.17' }, '2024-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.03' }, '2019-05-01..', 'high', 'gumroad-eu vatupdate-2020', 'Avalara list says 2019-01-01'],
    ],
    LV: [
      ['standard', { VAT: '0.21' }, '2012-07-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.21' }, '2012-07-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.21' }, '2012-07-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.05' }, '2022-01-01..', 'high', 'gumroad-eu kpmg-lv vatupdate-lv', 'from 2026-01-01 only for publications in Latvian/Latgalian/Livonian or official languages of EU/EEA/CH/candidates/OECD; otherwise 21%'],
    ],
    MT: [
      ['standard', { VAT: '0.18' }, '2004-01-01..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.18' }, '2004-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.18' }, '2004-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.05' }, '2019-01-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books'],
    ],
    NL: [
      ['standard', { VAT: '0.21' }, '2012-10-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.21' }, '2012-10-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.21' }, '2012-10-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.09' }, '2020-01-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books openaccountants'],
    ],
    PL: [
      ['standard', { VAT: '0.23' }, '2011-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.23' }, '2011-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.23' }, '2011-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.05' }, '2019-11-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books'],
    ],
    PT: [
      ['standard', { VAT: '0.23' }, '2011-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.23' }, '2011-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.23' }, '2011-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.06' }, '2019-01-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books', 'mainland; Madeira/Azores lower'],
    ],
    'PT-20': [
      ['standard', { VAT: '0.18' }, '..2021-07-01', 'medium', 'oficio-25045 maisrigor', 'Azores; historic'],
      ['standard', { VAT: '0.16' }, '2021-07-01..', 'high', 'oficio-25045 maisrigor economias', 'Azores: the rates of the mainland less 30 %'],
      ['e_book', { VAT: '0.04' }, '2021-07-01..', 'high', 'oficio-25045 maisrigor economias', 'e-books take the reduced rate'],
    ],
    'PT-30': [
      ['standard', { VAT: '0.22' }, '..', 'high', 'kdeldycke ibericode', 'Madeira'],
      ['e_book', { VAT: '0.05' }, '2019-01-01..2024-10-01', 'medium', 'economias', 'historic'],
      ['e_book', { VAT: '0.04' }, '2024-10-01..', 'medium', 'capitalizar', 'the reduced rate'],
    ],
    RO: [
      ['standard', { VAT: '0.19' }, '..2025-08-01', 'high', 'sales-tax kdeldycke', 'historic; sales-tax switches one day late (2025-08-01T21:00Z)'],
      ['standard', { VAT: '0.21' }, '2025-08-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.21' }, '2025-08-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.21' }, '2025-08-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.05' }, '2022-01-01..2025-08-01', 'medium', 'openaccountants andiraduta', 'historic'],
      ['e_book', { VAT: '0.11' }, '2025-08-01..', 'high', 'gumroad-eu openaccountants', '5% until 2025-07-31'],
    ],
    SE: [
      ['standard', { VAT: '0.25' }, '1990-07-01..', 'high', 'kdeldycke ibericode sales-tax tax-foundation'],
      ['digital_products saas', { VAT: '0.25' }, '1990-07-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.25' }, '1990-07-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.06' }, '2019-07-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books revisorernasyd'],
    ],
    SI: [
      ['standard', { VAT: '0.22' }, '2013-07-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.22' }, '2013-07-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.22' }, '2013-07-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.05' }, '2020-01-01..', 'high', 'gumroad-eu vatupdate-2020 avalara-books openaccountants'],
    ],
    SK: [
      ['standard', { VAT: '0.2' }, '..2025-01-01', 'high', 'sales-tax kdeldycke', 'historic'],
      ['standard', { VAT: '0.23' }, '2025-01-01..', 'high', 'kdeldycke ibericode sales-tax openaccountants'],
      ['digital_products saas', { VAT: '0.23' }, '2025-01-01..', 'high', 'kdeldycke ibericode sales-tax', customerLocation],
      ['edtech', { VAT: '0.23' }, '2025-01-01..', 'medium', 'kdeldycke vatposs sayervincent', euCourses],
      ['e_book', { VAT: '0.05' }, '2025-01-01..', 'high', 'gumroad-eu gumroad-pwc openaccountants'],
    ],
  },
};
