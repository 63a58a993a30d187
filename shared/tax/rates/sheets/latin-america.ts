import { courses } from '../notes.ts';
import type { RateSheet } from '../rate-sheet.ts';

/** Latin America and the Caribbean. */
// biome-ignore format: one rate per line, with the categories that share it
export const latinAmerica: RateSheet = {
  checkedOn: '2026-08-05',
  rates: {
    AR: [
      ['standard digital_products saas', { IVA: '0.21' }, '..', 'high', 'avalara sales-tax', 'collected by payment intermediaries, non-residents do not register'],
      ['edtech', { IVA: '0.21' }, '..', 'low', 'avalara sales-tax', courses],
    ],
    BB: [
      ['standard digital_products saas', { VAT: '0.175' }, '..', 'medium', 'sales-tax openaccountants'],
      ['edtech', { VAT: '0.175' }, '..', 'low', 'sales-tax openaccountants', courses],
    ],
    BR: [
      ['e_book', 'exempt', '..', 'medium', 'elearningworld', 'constitutional tax immunity of books extended to e-books (STF 2017). Other BR categories omitted: ISS/PIS/COFINS/CBS/IBS transition, no single rate.'],
    ],
    BS: [
      ['standard digital_products saas', { VAT: '0.1' }, '..', 'high', 'avalara openaccountants', 'sales-tax still 12%'],
      ['edtech', { VAT: '0.1' }, '..', 'low', 'avalara openaccountants', courses],
    ],
    CL: [
      ['standard digital_products saas', { IVA: '0.19' }, '..', 'high', 'avalara sales-tax gumroad'],
      ['edtech', { IVA: '0.19' }, '..', 'low', 'avalara sales-tax gumroad', courses],
      ['e_book', { IVA: '0.19' }, '..', 'medium', 'gumroad'],
    ],
    CO: [
      ['standard digital_products saas', { IVA: '0.19' }, '..', 'medium', 'avalara sales-tax gumroad', 'cloud computing (SaaS meeting the statutory NIST-style test), hosting and some licences are EXCLUDED from IVA: https://sectorial.co/informativa-hardware-y-software/servicios-de-software-excluidos-de-iva-2'],
      ['edtech', { IVA: '0.19' }, '..', 'low', 'avalara sales-tax gumroad', courses],
      ['e_book', { IVA: '0.19' }, '..', 'low', 'gumroad'],
    ],
    CR: [
      ['standard digital_products saas', { IVA: '0.13' }, '..', 'high', 'avalara sales-tax gumroad'],
      ['edtech', { IVA: '0.13' }, '..', 'low', 'avalara sales-tax gumroad', courses],
    ],
    EC: [
      ['standard digital_products saas', { IVA: '0.15' }, '2024-04-01..', 'high', 'avalara openaccountants', 'sales-tax and Gumroad (older) say 12%'],
      ['edtech', { IVA: '0.15' }, '2024-04-01..', 'low', 'avalara openaccountants', courses],
    ],
    MX: [
      ['standard digital_products saas', { IVA: '0.16' }, '..', 'high', 'avalara sales-tax gumroad openaccountants'],
      ['edtech', { IVA: '0.16' }, '..', 'low', 'avalara sales-tax gumroad openaccountants', courses],
      ['e_book', { IVA: '0' }, '..', 'low', 'gumroad', 'single source (Gumroad epublication rate 0%)'],
    ],
    PE: [
      ['standard digital_products saas', { IGV: '0.18' }, '..', 'high', 'avalara sales-tax'],
      ['edtech', { IGV: '0.18' }, '..', 'low', 'avalara sales-tax', courses],
    ],
    PR: [
      ['standard digital_products saas', { 'IVU (estatal)': '0.105', 'IVU (municipal)': '0.01' }, '..', 'medium', 'rsm-pr anrok-pr', 'remote sellers since 2021-01-01; digital products by Act 52-2022'],
      ['edtech', { 'IVU (estatal)': '0.105', 'IVU (municipal)': '0.01' }, '..', 'low', 'rsm-pr anrok-pr', courses],
      ['e_book', { 'IVU (estatal)': '0.105', 'IVU (municipal)': '0.01' }, '..', 'low', 'rsm-pr anrok-pr', 'textbooks are exempt, electronic ones too; others are assumed taxable'],
    ],
    PY: [
      ['standard digital_products saas', { IVA: '0.1' }, '..', 'high', 'avalara sales-tax'],
      ['edtech', { IVA: '0.1' }, '..', 'low', 'avalara sales-tax', courses],
    ],
    UY: [
      ['standard digital_products saas', { IVA: '0.22' }, '..', 'high', 'sales-tax openaccountants'],
      ['edtech', { IVA: '0.22' }, '..', 'low', 'sales-tax openaccountants', courses],
    ],
  },
};
