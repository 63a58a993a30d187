import { describe, expect, it } from 'vitest';
import { assertRegistration, TaxRegistration } from '../../../shared/tax/rules/registration.ts';
import { registrationIn } from '../builders.ts';

const refused = (path: string, code = 'INVALID_REQUEST_PARAMETERS') =>
  expect.objectContaining({ code, details: expect.objectContaining({ faults: [expect.objectContaining({ path })] }) });

describe('a registration is accepted', () => {
  it.each(['DE', 'GB', 'oss', 'US-TX', 'CA', 'CA-QC', 'IN', 'IN-KA', 'MC', 'XI', 'XK'])('in %s', (place) => {
    const registration = registrationIn(place);
    expect(TaxRegistration.parse(registration)).toEqual(registration);
    expect(() => assertRegistration(registration)).not.toThrow();
  });
});

describe('a registration is refused', () => {
  it('in an unknown country', () => {
    expect(() => assertRegistration(registrationIn('QQ'))).toThrow(refused('country', 'UNSUPPORTED_COUNTRY'));
  });

  it.each([
    ['US', 'a state is missing'],
    ['US-ZZ', 'there is no such state'],
    ['CA-ON', 'HST is registered without a province'],
    ['IN-ZZ', 'there is no such state'],
    ['DE-BY', 'VAT is registered without a region'],
  ])('in %s: %s', (place) => {
    expect(() => assertRegistration(registrationIn(place))).toThrow(refused('region'));
  });

  it('with OSS outside the EU', () => {
    expect(() => assertRegistration({ ...registrationIn('GB'), scheme: 'oss' })).toThrow(refused('scheme'));
  });

  it('when it ends before it begins', () => {
    expect(() => assertRegistration({ ...registrationIn('DE'), expiresAt: '2020-01-01' })).toThrow(
      refused('expires_at'),
    );
  });

  it.each([{ scheme: 'vat' }, { activeFrom: '2026-13-01' }, { activeFrom: undefined }, { country: 1 }])(
    'with invalid fields: %o',
    (changes) => {
      expect(TaxRegistration.safeParse({ ...registrationIn('DE'), ...changes }).success).toBe(false);
    },
  );
});
