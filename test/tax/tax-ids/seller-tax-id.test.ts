import { describe, expect, it } from 'vitest';
import type { TaxRegistration } from '../../../shared/tax/rules/registration.ts';
import type { TaxSettings } from '../../../shared/tax/rules/settings.ts';
import { assertSellerTaxId, lacksSellerTaxId, sellerTaxIdFault } from '../../../shared/tax/tax-ids/seller-tax-id.ts';

const registration = (fields: Partial<TaxRegistration>): TaxRegistration => ({
  ...{ id: 'reg_1', country: 'DE', scheme: 'standard', activeFrom: '2026-01-01' },
  ...fields,
});

const settings = (fields: Partial<TaxSettings> = {}): TaxSettings => ({
  ...{ merchantCountry: 'DE', registrations: [], overrides: [], collectPolicy: 'registered_only' },
  ...{ onUnsupported: 'reject', onUnverifiedTaxId: 'charge' },
  ...fields,
});

describe('a tax id of the seller', () => {
  it.each([
    ['DE', 'DE123456788'],
    ['DE', 'DE 123 456 788'],
    ['CH', 'CHE-116.281.710 MWST'],
    ['GR', 'EL094259216'],
    ['AU', 'anything: its forms differ by scheme'],
    ['US', '3-20123-4567-8'],
  ])('in %s can be %s', (country, id) => expect(sellerTaxIdFault(id, country)).toBeUndefined());

  it.each([
    ['DE', 'DE123456789'],
    ['DE', 'FR40303265045'],
    ['CH', 'CHE-116.281.711 MWST'],
    ['GB', 'GB123456789'],
  ])('of %s cannot be %s', (country, id) =>
    expect(sellerTaxIdFault(id, country)?.message).toContain('is not a valid tax id'),
  );

  it.each([
    ['a number of the One-Stop Shop for sellers outside the Union', { scheme: 'oss', taxId: 'EU372012345' } as const],
    ['a number of a simplified scheme', { country: 'NO', scheme: 'simplified', taxId: '2012345' } as const],
    ['no number', {}],
  ])('may be %s without a format check', (_, fields) =>
    expect(() => assertSellerTaxId(registration(fields))).not.toThrow(),
  );

  it('is checked when it belongs to a registration', () =>
    expect(() => assertSellerTaxId(registration({ taxId: 'DE123456789' }))).toThrow('is not a valid tax id of DE'));

  it.each([
    ['neither the merchant nor the registration has one', settings({ registrations: [registration({})] }), true],
    ['a sandbox collects everywhere', settings({ collectPolicy: 'everywhere' }), true],
    ['the merchant has one', settings({ merchantTaxId: 'DE123456788', registrations: [registration({})] }), false],
    ['the registration has one', settings({ registrations: [registration({ taxId: 'DE123456788' })] }), false],
    ['no business is relieved', settings({ registrations: [registration({ country: 'CH' })] }), false],
    ['nothing is collected', settings(), false],
  ])('is reported correctly as missing for a reverse charge: %s', (_, own, lacks) =>
    expect(lacksSellerTaxId(own)).toBe(lacks),
  );
});
