import { describe, expect, it } from 'vitest';
import { findRegion, needsRegion, regionsOf } from '../../../shared/tax/places/regions.ts';

describe('regions', () => {
  it.each([
    ['US', 51], // 50 states and DC
    ['CA', 13],
    ['IN', 36],
    ['DE', 0],
  ])('of %s number %i, each with its own code and a name', (country, count) => {
    const regions = regionsOf(country);
    expect(regions).toHaveLength(count);
    expect(new Set(regions.map(({ code }) => code)).size).toBe(count);
    expect(regions.every(({ code, name }) => /^[A-Z]{2}$/.test(code) && /^[A-Z][A-Za-z ]{2,}$/.test(name))).toBe(true);
  });

  it('are required only where they decide the tax', () => {
    expect(['US', 'CA', 'IN'].every(needsRegion)).toBe(true);
    expect(['DE', 'BR', 'AU', 'GB', 'constructor'].some(needsRegion)).toBe(false);
  });

  it.each([
    ['US', 'TX', 'TX'],
    ['US', ' tx ', 'TX'],
    ['US', 'US-TX', 'TX'],
    ['US', 'texas', 'TX'],
    ['CA', 'Québec', 'QC'],
    ['IN', 'OR', 'OD'], // Odisha until 2023
    ['IN', 'TG', 'TS'],
    ['IN', 'Karnataka', 'KA'],
  ])('of %s are found by "%s": %s', (country, text, code) => {
    expect(findRegion(country, text)?.code).toBe(code);
  });

  it.each([
    ['US', 'PR'],
    ['US', 'ON'],
    ['CA', 'TX'],
    ['DE', 'BY'],
    ['US', ''],
  ])('of %s do not contain "%s"', (country, text) => {
    expect(findRegion(country, text)).toBeUndefined();
  });
});
