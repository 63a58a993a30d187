import { printedOnly, qstNotCompound } from '../notes.ts';
import type { RateSheet } from '../rate-sheet.ts';

/** Canada. GST and HST are federal, PST, RST and QST belong to the provinces. All are computed on the same net. */
// biome-ignore format: one rate per line, with the categories that share it
export const canada: RateSheet = {
  checkedOn: '2026-08-05',
  rates: {
    'CA-AB': [
      ['standard digital_products saas e_book', { GST: '0.05' }, '..', 'high', 'openaccountants avalara'],
      ['edtech', { GST: '0.05' }, '..', 'low', 'openaccountants avalara'],
    ],
    'CA-BC': [
      ['standard', { GST: '0.05', PST: '0.07' }, '..', 'high', 'openaccountants sales-tax avalara'],
      ['digital_products', { GST: '0.05', PST: '0.07' }, '..', 'medium', 'openaccountants avalara taxandtradelaw swiftltd', 'software, digital audio/video; other digital content varies'],
      ['saas', { GST: '0.05', PST: '0.07' }, '..', 'high', 'openaccountants taxandtradelaw swiftltd', 'SaaS explicitly in PST definition of software since May 2024 (retroactive)'],
      ['e_book', { GST: '0.05' }, '..', 'low', 'legalconsult openaccountants', 'books exempt from BC PST; electronic books not verified (7% PST would apply if not exempt)'],
    ],
    'CA-MB': [
      ['standard', { GST: '0.05', RST: '0.07' }, '..', 'high', 'openaccountants sales-tax'],
      ['digital_products', { GST: '0.05', RST: '0.07' }, '2021-12-01..', 'low', 'vatcalc-sk', 'streaming/downloads and prewritten software; scope not verified'],
      ['saas', { GST: '0.05' }, '..2026-01-01', 'medium', 'taxandtradelaw 1stopvat', 'historic'],
      ['saas', { GST: '0.05', RST: '0.07' }, '2026-01-01..', 'high', 'taxandtradelaw 1stopvat openaccountants', 'SaaS/PaaS/IaaS taxable from 2026-01-01 (Bill 46); before: GST only for remotely accessed software'],
      ['e_book', { GST: '0.05' }, '..', 'low', 'openaccountants', 'RST on e-books not verified'],
    ],
    'CA-NB': [
      ['standard digital_products saas', { HST: '0.15' }, '..', 'high', 'openaccountants sales-tax'],
      ['edtech', { HST: '0.15' }, '..', 'low', 'openaccountants sales-tax'],
      ['e_book', { HST: '0.15' }, '..', 'medium', 'openaccountants sales-tax bluemantle', printedOnly],
    ],
    'CA-NL': [
      ['standard digital_products saas', { HST: '0.15' }, '..', 'high', 'openaccountants sales-tax'],
      ['edtech', { HST: '0.15' }, '..', 'low', 'openaccountants sales-tax'],
      ['e_book', { HST: '0.15' }, '..', 'medium', 'openaccountants sales-tax bluemantle', printedOnly],
    ],
    'CA-NS': [
      ['standard', { HST: '0.15' }, '..2025-04-01', 'high', 'openaccountants sales-tax', 'historic'],
      ['standard digital_products saas', { HST: '0.14' }, '2025-04-01..', 'high', 'openaccountants sales-tax', 'NS was 15% before 2025-04-01'],
      ['edtech', { HST: '0.14' }, '2025-04-01..', 'low', 'openaccountants sales-tax', 'NS was 15% before 2025-04-01'],
      ['e_book', { HST: '0.14' }, '2025-04-01..', 'medium', 'openaccountants sales-tax bluemantle', printedOnly],
    ],
    'CA-NT': [
      ['standard digital_products saas e_book', { GST: '0.05' }, '..', 'high', 'openaccountants avalara'],
      ['edtech', { GST: '0.05' }, '..', 'low', 'openaccountants avalara'],
    ],
    'CA-NU': [
      ['standard digital_products saas e_book', { GST: '0.05' }, '..', 'high', 'openaccountants avalara'],
      ['edtech', { GST: '0.05' }, '..', 'low', 'openaccountants avalara'],
    ],
    'CA-ON': [
      ['standard digital_products saas', { HST: '0.13' }, '..', 'high', 'openaccountants sales-tax'],
      ['edtech', { HST: '0.13' }, '..', 'low', 'openaccountants sales-tax'],
      ['e_book', { HST: '0.13' }, '..', 'medium', 'openaccountants sales-tax bluemantle', printedOnly],
    ],
    'CA-PE': [
      ['standard digital_products saas', { HST: '0.15' }, '..', 'high', 'openaccountants sales-tax'],
      ['edtech', { HST: '0.15' }, '..', 'low', 'openaccountants sales-tax'],
      ['e_book', { HST: '0.15' }, '..', 'medium', 'openaccountants sales-tax bluemantle', printedOnly],
    ],
    'CA-QC': [
      ['standard digital_products saas', { GST: '0.05', QST: '0.09975' }, '2013-01-01..', 'high', 'openaccountants sales-tax avalara revenu-quebec', qstNotCompound],
      ['edtech', { GST: '0.05', QST: '0.09975' }, '2013-01-01..', 'low', 'openaccountants sales-tax avalara revenu-quebec', qstNotCompound],
      ['e_book', { GST: '0.05', QST: '0.09975' }, '2013-01-01..', 'medium', 'openaccountants sales-tax avalara revenu-quebec', `${qstNotCompound} QST zero-rating is for PRINTED books with ISBN only.`],
    ],
    'CA-SK': [
      ['standard', { GST: '0.05', PST: '0.06' }, '..', 'high', 'openaccountants sales-tax avalara'],
      ['digital_products saas', { GST: '0.05', PST: '0.06' }, '2019-01-01..', 'high', 'avalara-sk vatcalc-sk openaccountants'],
      ['edtech', { GST: '0.05', PST: '0.06' }, '2019-01-01..', 'medium', 'avalara-sk vatcalc-sk openaccountants'],
      ['e_book', { GST: '0.05', PST: '0.06' }, '2019-01-01..', 'low', 'avalara-sk vatcalc-sk', 'CONFLICT: Avalara/vatcalc list e-books as taxable e-services; PST-9 bulletin revision (Ryan 2010) exempts electronic equivalents of qualifying books'],
    ],
    'CA-YT': [
      ['standard digital_products saas e_book', { GST: '0.05' }, '..', 'high', 'openaccountants avalara'],
      ['edtech', { GST: '0.05' }, '..', 'low', 'openaccountants avalara'],
    ],
  },
};
