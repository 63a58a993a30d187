import { describe, expect, it } from 'vitest';
import { countries, isCountry, isTaxCountry } from '../../../shared/tax/places/countries.ts';

describe('the country codes', () => {
  it('are the 249 codes of ISO 3166-1, each once', () => {
    expect(countries).toHaveLength(249);
    expect(new Set(countries).size).toBe(249);
  });

  it('all have a name in English', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    expect(countries.filter((code) => names.of(code) === undefined)).toEqual([]);
  });

  it.each(['DE', 'US', 'GB', 'MC', 'IM', 'AX', 'GP'])('include %s', (code) => {
    expect(isCountry(code)).toBe(true);
  });

  it.each(['', 'de', 'EL', 'UK', 'EU', 'QQ', 'DEU', 'constructor'])('do not include "%s"', (code) => {
    expect(isCountry(code)).toBe(false);
    expect(isTaxCountry(code)).toBe(false);
  });

  it.each(['XK', 'XI'])('do not include %s, although the tax rules know that code', (code) => {
    expect(isCountry(code)).toBe(false);
    expect(isTaxCountry(code)).toBe(true);
  });
});
