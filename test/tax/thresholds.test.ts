import { describe, expect, it } from 'vitest';
import { minorUnitDigits } from '../../shared/domain/money/currency.ts';
import type { TaxRegistration } from '../../shared/tax/rules/registration.ts';
import { isRegisteredFor, thresholdIncludes, thresholdsOf } from '../../shared/tax/thresholds.ts';

const registration = (country: string, region?: string): TaxRegistration => ({
  ...{ id: 'reg_1', country, scheme: 'standard', activeFrom: '2026-01-01' },
  ...(region && { region }),
});

describe('the limits of registration', () => {
  it('have one entry for each place, with a source and a known currency', () => {
    const all = thresholdsOf('DE');
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { currency, source } of all)
      expect([minorUnitDigits(currency) >= 0, source === '']).toEqual([true, false]);
  });

  it.each([
    { id: 'IN', limit: 0, currency: 'INR', period: 'first' },
    { id: 'CA-QC', limit: 30_000, currency: 'CAD', period: 'rolling' },
    { id: 'JP', limit: 10_000_000, currency: 'JPY', period: 'base_year' },
    { id: 'UA', limit: 1_000_000, currency: 'UAH', period: 'previous_year' },
    { id: 'ZA', limit: 1_000_000, currency: 'ZAR', period: 'rolling' },
    { id: 'PR', limit: 100_000, currency: 'USD', sales: { limit: 200, isAlternative: true } },
    { id: 'ID', limit: 600_000_000, alternatives: [{ limit: 50_000_000, period: 'month' }] },
    { id: 'LK', limit: 60_000_000, alternatives: [{ limit: 15_000_000, period: 'three_months' }] },
  ])('include that of $id as its law says it', (fact) => {
    expect(thresholdsOf('DE').find(({ id }) => id === fact.id)).toMatchObject(fact);
  });

  it('leave out the seller’s own country, with its provinces', () => {
    expect(thresholdsOf('CA').filter(({ id }) => id.startsWith('CA'))).toEqual([]);
    expect(thresholdsOf('JP').some(({ id }) => id === 'JP')).toBe(false);
  });

  it('count the sales of a province for the province and for the country', () => {
    const quebec = { country: 'CA', region: 'QC' };
    expect(['CA', 'CA-QC', 'CA-BC', 'US-QC'].filter((id) => thresholdIncludes(id, 'DE')(quebec))).toEqual([
      'CA',
      'CA-QC',
    ]);
  });

  it('fall silent where the merchant is registered, but a province says nothing about its country', () => {
    const silentFor = (one: TaxRegistration) =>
      ['CA', 'CA-QC', 'IN', 'US-TX', 'EU'].filter((id) => isRegisteredFor(id, [one]));
    expect(silentFor(registration('CA'))).toEqual(['CA']);
    expect(silentFor(registration('CA', 'QC'))).toEqual(['CA-QC']);
    expect(silentFor(registration('IN', 'KA'))).toEqual(['IN']);
    expect(silentFor(registration('US', 'TX'))).toEqual(['US-TX']);
  });
});
