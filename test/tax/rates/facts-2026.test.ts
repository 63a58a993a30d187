import { describe, expect, it } from 'vitest';
import { intraState } from '../../../shared/tax/intra-state.ts';
import { lookUpRate } from '../../../shared/tax/rates/rate-lookup.ts';
import type { RateRow } from '../../../shared/tax/rates/rate-row.ts';
import type { RateCategory } from '../../../shared/tax/rates/rate-sheet.ts';
import { rateRows } from '../../../shared/tax/rates/rate-table.ts';
import { sources } from '../../../shared/tax/rates/sources.ts';
import { taxTreatment } from '../../../shared/tax/treatment.ts';
import { settings } from '../builders.ts';

/** The facts that were checked on 2026-11-22: place, category, local dates, taxes, confidence. */
// biome-ignore format: one fact to a line
const facts: readonly [place: string, category: RateCategory, validity: string, taxes: string, confidence: string][] = [
  ['KZ', 'standard', '..2026-01-01', 'VAT 0.12', 'high'],
  ['KZ', 'standard', '2026-01-01..', 'VAT 0.16', 'high'],
  ['KZ', 'digital_products', '..2026-01-01', 'VAT 0.12', 'high'],
  ['KZ', 'digital_products', '2026-01-01..', 'VAT 0.16', 'high'],
  ['KZ', 'saas', '..2026-01-01', 'VAT 0.12', 'high'],
  ['KZ', 'saas', '2026-01-01..', 'VAT 0.16', 'high'],
  ['KZ', 'edtech', '..2026-01-01', 'VAT 0.12', 'low'],
  ['KZ', 'edtech', '2026-01-01..', 'VAT 0.16', 'low'],
  ['GH', 'standard', '2023-01-01..2026-01-01', 'VAT 0.15 of 1.06 + NHIL 0.025 + GETFund 0.025 + COVID-19 levy 0.01', 'medium'],
  ['GH', 'standard', '2026-01-01..', 'VAT 0.15 + NHIL 0.025 + GETFund 0.025', 'high'],
  ['GH', 'digital_products', '2023-01-01..2026-01-01', 'VAT 0.15 of 1.06 + NHIL 0.025 + GETFund 0.025 + COVID-19 levy 0.01', 'medium'],
  ['GH', 'digital_products', '2026-01-01..', 'VAT 0.15 + NHIL 0.025 + GETFund 0.025', 'high'],
  ['GH', 'saas', '2023-01-01..2026-01-01', 'VAT 0.15 of 1.06 + NHIL 0.025 + GETFund 0.025 + COVID-19 levy 0.01', 'medium'],
  ['GH', 'saas', '2026-01-01..', 'VAT 0.15 + NHIL 0.025 + GETFund 0.025', 'high'],
  ['GH', 'edtech', '2023-01-01..2026-01-01', 'VAT 0.15 of 1.06 + NHIL 0.025 + GETFund 0.025 + COVID-19 levy 0.01', 'low'],
  ['GH', 'edtech', '2026-01-01..', 'VAT 0.15 + NHIL 0.025 + GETFund 0.025', 'low'],
  ['US-DC', 'digital_products', '..2026-10-01', 'State sales tax 0.06', 'medium'],
  ['US-DC', 'digital_products', '2026-10-01..', 'State sales tax 0.07', 'medium'],
  ['US-DC', 'e_book', '..2026-10-01', 'State sales tax 0.06', 'medium'],
  ['US-DC', 'e_book', '2026-10-01..', 'State sales tax 0.07', 'medium'],
  ['US-DC', 'saas', '..2026-10-01', 'State sales tax 0.06', 'medium'],
  ['US-DC', 'saas', '2026-10-01..', 'State sales tax 0.07', 'medium'],
  ['US-DC', 'standard', '..2026-10-01', 'State sales tax 0.06', 'high'],
  ['US-DC', 'standard', '2026-10-01..', 'State sales tax 0.07', 'medium'],
  ['CN', 'digital_products', '..', 'VAT 0.06', 'medium'],
  ['CN', 'saas', '..', 'VAT 0.06', 'medium'],
  ['CN', 'edtech', '..', 'VAT 0.06', 'low'],
  ['PT-20', 'standard', '..2021-07-01', 'VAT 0.18', 'medium'],
  ['PT-20', 'standard', '2021-07-01..', 'VAT 0.16', 'high'],
  ['PT-20', 'e_book', '2021-07-01..', 'VAT 0.04', 'high'],
  ['PT-30', 'e_book', '2019-01-01..2024-10-01', 'VAT 0.05', 'medium'],
  ['PT-30', 'e_book', '2024-10-01..', 'VAT 0.04', 'medium'],
  ['FR-GP', 'e_book', '..', 'VAT 0.021', 'medium'],
  ['FR-MQ', 'e_book', '..', 'VAT 0.021', 'medium'],
  ['FR-RE', 'e_book', '..', 'VAT 0.021', 'medium'],
  ['AT-6691', 'e_book', '2020-01-01..', 'VAT 0.1', 'medium'],
  ['AT-6991..6993', 'e_book', '2020-01-01..', 'VAT 0.1', 'medium'],
  ['FI', 'e_book', '..2019-07-01', 'VAT 0.24', 'medium'],
  ['FI', 'e_book', '2019-07-01..2025-01-01', 'VAT 0.1', 'high'],
  ['FI', 'e_book', '2025-01-01..2026-01-01', 'VAT 0.14', 'high'],
  ['FI', 'e_book', '2026-01-01..', 'VAT 0.135', 'high'],
  ['LT', 'e_book', '..2023-01-01', 'VAT 0.21', 'medium'],
  ['LT', 'e_book', '2023-01-01..2026-01-01', 'VAT 0.09', 'high'],
  ['LT', 'e_book', '2026-01-01..', 'VAT 0.05', 'high'],
  ['BG', 'e_book', '..2020-07-01', 'VAT 0.2', 'high'],
  ['BG', 'e_book', '2020-07-01..', 'VAT 0.09', 'high'],
  ['DK', 'e_book', '1992-01-01..', 'VAT 0.25', 'low'],
  ['VN', 'standard', '2025-07-01..', 'VAT 0.1', 'medium'],
  ['VN', 'digital_products', '2025-07-01..', 'VAT 0.1', 'medium'],
  ['VN', 'saas', '2025-07-01..', 'VAT 0.1', 'medium'],
  ['US-MS', 'saas', '2023-07-01..', 'not_taxable', 'high'],
  ['PH', 'e_book', '2025-06-01..', 'exempt', 'low'],
  ['IN-*intra-state*', 'e_book', '..', 'CGST 0.025 + SGST 0.025', 'medium'],
  ['RU', 'standard', '2019-01-01..2026-01-01', 'VAT 0.2', 'medium'],
  ['RU', 'digital_products', '2019-01-01..2026-01-01', 'VAT 0.2', 'medium'],
  ['RU', 'saas', '2019-01-01..2026-01-01', 'VAT 0.2', 'medium'],
  ['TH', 'standard', '..', 'VAT 0.07', 'medium'],
  ['TZ', 'standard', '..', 'VAT 0.18', 'medium'],
  ['CH', 'standard', '2024-01-01..', 'VAT 0.081', 'high'],
  ['ID', 'standard', '2025-01-01..', 'PPN (12 % × 11/12) 0.11', 'medium'],
];

const taxesOf = ({ components, taxability }: RateRow): string =>
  components
    .map(({ name, rate, baseFraction }) => `${name} ${rate}${baseFraction === '1' ? '' : ` of ${baseFraction}`}`)
    .join(' + ') || taxability;

const placeOf = (code: string) => {
  const [, country = '', region] = /^([A-Z]{2})(?:-(.*))?$/.exec(code) ?? [];
  return { country, region };
};

const dayBefore = (date: string): string => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

const taxesOn = (place: string, category: RateCategory, date: string): string | undefined => {
  const row = lookUpRate({ ...placeOf(place), category, date });
  return row && taxesOf(row);
};

describe('the tax facts of 2026-11-22', () => {
  it.each(facts)('have for %s %s in the period %s: %s (%s)', (place, category, validity, taxes, confidence) => {
    const [from, to] = validity.split('..').map((date) => date || undefined);
    const row = rateRows().find(({ id }) => id === [place, category, from].filter(Boolean).join('/'));
    expect(row && [taxesOf(row), row.effectiveFrom, row.effectiveTo, row.confidence]).toEqual([
      taxes,
      from,
      to,
      confidence,
    ]);
    expect(row?.sources.every((key) => sources[key])).toBe(true);
    const days = [from, to ? dayBefore(to) : '2026-11-22'].filter((date) => date !== undefined);
    expect(days.map((date) => taxesOn(place, category, date))).toEqual(days.map(() => taxes));
  });

  it('contain nothing about Brazil before the CBS of 2027', () => {
    expect(taxesOn('BR', 'standard', '2026-11-22')).toBeUndefined();
    expect(taxesOn('BR', 'saas', '2026-11-22')).toBeUndefined();
  });

  it.each([
    ['VN', 'saas', '2025-06-30'],
    ['GH', 'saas', '2022-12-31'],
    ['RU', 'saas', '2018-12-31'],
  ] as const)('contain nothing about %s %s on %s, because no earlier rate is known', (place, category, date) => {
    expect(taxesOn(place, category, date)).toBeUndefined();
  });

  it.each([
    ['US-MS', 'saas', '2023-06-30', 'State sales tax 0.07'],
    ['US-MS', 'digital_products', '2026-11-22', 'State sales tax 0.07'],
    ['ID', 'saas', '2024-12-31', 'VAT 0.11'],
    ['PH', 'e_book', '2025-05-31', 'VAT 0.12'],
    ['PT-30', 'e_book', '2018-12-31', 'VAT 0.22'],
    ['FR', 'e_book', '2026-11-22', 'VAT 0.055'], // Corsica too: no row, because whether downloads share its 2.1 % is unsettled
    [`IN-${intraState}`, 'saas', '2026-11-22', 'CGST 0.09 + SGST 0.09'],
  ] as const)('still have the earlier tax for %s %s on %s: %s', (place, category, date, taxes) => {
    expect(taxesOn(place, category, date)).toBe(taxes);
  });
});

describe('a special tax territory', () => {
  const warnings = (place: string, category: 'e_book' | 'saas' | 'live_tutoring', date = '2026-11-22') =>
    taxTreatment({ place: placeOf(place), category, date, settings: settings() }).warnings;

  it.each(['PT-20', 'PT-30', 'FR-GP', 'FR-MQ', 'FR-RE', 'AT-6691'])('has its own rate for e-books in %s', (place) => {
    expect(warnings(place, 'e_book')).toEqual([]);
  });

  it('causes a warning for the merchant if only its standard rate is known', () => {
    expect(warnings('PT-30', 'saas')).toEqual(['territory_standard_rate']);
    expect(warnings('PT-20', 'e_book', '2021-06-30')).toEqual(['territory_standard_rate']);
  });

  it('causes no warning where there is no tax, and the mainland causes none', () => {
    expect(warnings('ES-CN', 'e_book')).toEqual([]);
    expect(warnings('PT', 'saas')).toEqual([]);
  });
});
