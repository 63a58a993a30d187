import { describe, expect, it } from 'vitest';
import type { Place } from '../../../shared/domain/checkout/tax.ts';
import { DomainError } from '../../../shared/domain/errors.ts';
import { placeCode, resolvePlace, vatHomeOf } from '../../../shared/tax/places/resolve-place.ts';
import { needsPostalCode } from '../../../shared/tax/places/territories.ts';
import { override } from '../builders.ts';

const codeOf = (place: Place) => {
  const { country, region } = resolvePlace(place);
  return placeCode(country, region);
};

const refusalOf = (place: Place): DomainError => {
  try {
    resolvePlace(place);
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('not refused');
};

describe('a special tax territory with a postal code', () => {
  it.each([
    ['ES', '35001', 'ES-CN'],
    ['ES', '38 001', 'ES-CN'],
    ['ES', '51001', 'ES-CE'],
    ['ES', '52006', 'ES-ML'],
    ['ES', '28013', 'ES'],
    ['PT', '9000-001', 'PT-30'],
    ['PT', '9500', 'PT-20'],
    ['PT', '1000-001', 'PT'],
    ['FR', '97110', 'FR-GP'],
    ['FR', '97200', 'FR-MQ'],
    ['FR', '97300', 'FR-GF'],
    ['FR', '97400', 'FR-RE'],
    ['FR', '97600', 'FR-YT'],
    ['FR', '75001', 'FR'],
    ['FI', '22100', 'FI-01'],
    ['FI', 'AX-22100', 'FI-01'],
    ['FI', '00100', 'FI'],
    ['DE', '27498', 'DE-27498'],
    ['DE', 'D-78266', 'DE-78266'],
    ['DE', '10115', 'DE'],
    ['IT', '23041', 'IT-23041'],
    ['IT', '23030', 'IT-23041'],
    ['IT', '22061', 'IT-22061'],
    ['IT', '00100', 'IT'],
    ['GR', '630 86', 'GR-69'],
    ['GR', '63087', 'GR-69'],
    ['GR', '10431', 'GR'],
    ['AT', '6691', 'AT-6691'],
    ['AT', '6992', 'AT-6991..6993'],
    ['AT', '6994', 'AT'],
  ])('in %s with %s is the territory %s', (country, postalCode, code) => {
    expect(codeOf({ country, postalCode })).toBe(code);
  });

  it('is not the place if the postal code is missing: the place is the mainland', () => {
    expect(codeOf({ country: 'ES' })).toBe('ES');
    expect(codeOf({ country: 'ES', postalCode: '' })).toBe('ES');
  });
});

describe('a special tax territory with a region or a country code', () => {
  it.each([
    ['ES', 'CN', 'ES-CN'],
    ['ES', 'ES-TF', 'ES-CN'],
    ['PT', '30', 'PT-30'],
    ['FR', '974', 'FR-RE'],
    ['GP', undefined, 'FR-GP'],
    ['AX', undefined, 'FI-01'],
  ])('in %s with %s is the territory %s', (country, region, code) => {
    expect(codeOf({ country, region })).toBe(code);
  });
});

describe('a postal code of another country', () => {
  it.each([
    ['FR', '98000', 'MC'],
    ['FR', '97133', 'BL'], // begins like Guadeloupe's
    ['FR', '97150', 'MF'],
    ['FR', '98800', 'NC'],
    ['GB', 'IM1 1AA', 'IM'],
    ['GB', 'JE2 3AB', 'JE'],
    ['GB', 'GY1 1WR', 'GG'],
    ['GB', 'SW1A 1AA', 'GB'],
  ])('under %s with %s leads to the place %s', (country, postalCode, code) => {
    expect(codeOf({ country, postalCode })).toBe(code);
  });
});

describe('a place', () => {
  it('in Northern Ireland is taxed like Great Britain', () => {
    expect(codeOf({ country: 'XI', postalCode: 'BT1 1AA' })).toBe('GB');
  });

  it('that was already resolved does not change when it is resolved again', () => {
    for (const place of [
      { country: 'GP' },
      { country: 'XI' },
      { country: 'AT', postalCode: '6992' },
      { country: 'US', region: 'texas' },
    ])
      expect(resolvePlace(resolvePlace(place))).toEqual(resolvePlace(place));
  });

  it.each(['QQ', '', 'de', 'EL'])('in "%s" is refused, and the error names the field', (country) => {
    const { code, details } = refusalOf({ country });
    expect(code).toBe('UNSUPPORTED_COUNTRY');
    expect(details.faults?.[0]?.path).toBe('billing_address.country');
  });

  it.each(['US', 'CA', 'IN'])(
    'in %s without a region is refused, and the error names the field and the choices',
    (country) => {
      for (const region of [undefined, '', ' ', 'ZZ']) {
        const { code, message, details } = refusalOf({ country, region });
        expect(code).toBe('INVALID_REQUEST_PARAMETERS');
        expect(message).toMatch(/Use one of [A-Z]{2}, /);
        expect(details.faults?.[0]?.path).toBe('billing_address.state');
      }
    },
  );

  it('in the US gets no region from its ZIP code', () => {
    expect(refusalOf({ country: 'US', postalCode: '78701' }).code).toBe('INVALID_REQUEST_PARAMETERS');
  });
});

describe('the country of a VAT number', () => {
  it.each([
    ['MC', 'FR'],
    ['GP', 'FR'],
    ['IM', 'GB'],
    ['XI', 'GB'],
    ['AX', 'FI'],
    ['DE', 'DE'],
  ])('of %s is %s', (country, home) => {
    expect(vatHomeOf(country)).toBe(home);
  });
});

describe('a postal code is required', () => {
  it.each(['AT', 'DE', 'ES', 'FI', 'FR', 'GR', 'IT', 'PT'])('in %s, which has special tax territories', (country) => {
    expect(needsPostalCode(country)).toBe(true);
  });

  it('where the merchant has rates for postal codes, and nowhere else', () => {
    expect(needsPostalCode('US')).toBe(false);
    expect(needsPostalCode('US', [override()])).toBe(true);
    expect(needsPostalCode('CA', [override()])).toBe(false);
    expect(needsPostalCode('US', [override({ postalCodePrefix: undefined })])).toBe(false);
  });
});
