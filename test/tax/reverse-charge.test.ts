import { describe, expect, it } from 'vitest';
import type { Place } from '../../shared/domain/checkout/tax.ts';
import type { BuyerTaxId } from '../../shared/tax/reverse-charge.ts';
import type { TaxSettings } from '../../shared/tax/rules/settings.ts';
import { taxTreatment } from '../../shared/tax/treatment.ts';
import { registeredIn, settings } from './builders.ts';

const sell = (code: string, buyerTaxId: BuyerTaxId | undefined, by: TaxSettings) => {
  const place: Place = { country: code.slice(0, 2), region: code.slice(3) || undefined };
  return taxTreatment({ place, category: 'saas', date: '2026-03-01', settings: by, buyerTaxId });
};

const reasons = (
  code: string,
  status: BuyerTaxId['status'],
  by: TaxSettings = settings(),
  country = code.slice(0, 2),
) => sell(code, { country, status }, by).components.map(({ reason }) => reason);

describe('a business in another country of the Union', () => {
  const german = registeredIn('DE');

  it('accounts for the tax itself with a confirmed id, and the component has no rate', () => {
    expect(sell('FR', { country: 'FR', status: 'valid' }, german)).toMatchObject({
      components: [{ name: 'VAT', jurisdiction: 'FR', rate: null, reason: 'reverse_charge' }],
      registrations: ['reg_DE'],
      warnings: [],
    });
  });

  it('is charged like a consumer with an id that is invalid', () => {
    expect(reasons('FR', 'invalid', registeredIn('oss'))).toEqual([null]);
  });

  it('is charged with an id that nobody could confirm, unless the merchant accepts those', () => {
    expect(reasons('FR', 'unverified', registeredIn('oss'))).toEqual([null]);
    const accepting = { ...registeredIn('oss'), onUnverifiedTaxId: 'accept' as const };
    expect(reasons('FR', 'unverified', accepting)).toEqual(['reverse_charge']);
    expect(sell('FR', { country: 'FR', status: 'unverified' }, accepting).warnings).toEqual(['tax_id_unverified']);
    expect(reasons('FR', 'invalid', accepting)).toEqual([null]);
  });

  it.each(['AT', 'BE', 'ES', 'GR', 'IE', 'NL', 'SE'])('is relieved in %s', (country) => {
    expect(reasons(country, 'valid', german)).toEqual(['reverse_charge']);
  });

  it('is relieved by a merchant outside the Union that is registered anywhere in it', () => {
    expect(reasons('FR', 'valid', { ...registeredIn('oss'), merchantCountry: 'US' })).toEqual(['reverse_charge']);
    expect(reasons('FR', 'valid', { ...registeredIn('IE'), merchantCountry: 'US' })).toEqual(['reverse_charge']);
  });

  it('is invoiced under the registration of the merchant at home, if there is one', () => {
    expect(sell('FR', { country: 'FR', status: 'valid' }, registeredIn('IE', 'DE')).registrations).toEqual(['reg_DE']);
    expect(sell('FR', { country: 'FR', status: 'valid' }, registeredIn('IE')).registrations).toEqual(['reg_IE']);
  });

  it('is not relieved by a merchant that is registered nowhere in it', () => {
    expect(reasons('FR', 'valid', registeredIn('GB'))).toEqual(['not_collecting']);
  });
});

describe('a business is charged', () => {
  it('in the country of the merchant', () => {
    expect(reasons('DE', 'valid', registeredIn('DE'))).toEqual([null]);
    expect(reasons('MC', 'valid', { ...registeredIn('FR'), merchantCountry: 'FR' })).toEqual([null]);
  });

  it('with an id of another country than its address', () => {
    expect(reasons('FR', 'valid', settings(), 'BE')).toEqual([null]);
  });

  it.each(['ID', 'KE', 'MX', 'NG', 'ZA', 'JP', 'LI', 'US-NY'])(
    'in %s, which knows no reverse charge for us',
    (code) => {
      expect(reasons(code, 'valid')).toEqual([null]);
    },
  );

  it('outside the Union where the merchant is not registered: nothing is collected', () => {
    expect(reasons('GB', 'valid', registeredIn('DE'))).toEqual(['not_collecting']);
  });
});

describe('outside the Union a business accounts for the tax', () => {
  it.each(['GB', 'NO', 'CH', 'AU', 'SG', 'BH', 'OM', 'TZ'])(
    'in %s, under a registration there or everywhere',
    (country) => {
      expect(reasons(country, 'valid', registeredIn(country))).toEqual(['reverse_charge']);
      expect(reasons(country, 'valid')).toEqual(['reverse_charge']);
    },
  );

  it('in Québec for the QST alone', () => {
    expect(reasons('CA-QC', 'valid')).toEqual([null, 'reverse_charge']);
    expect(reasons('CA-QC', 'valid', registeredIn('CA', 'CA-QC'))).toEqual([null, 'reverse_charge']);
    expect(reasons('CA-QC', 'valid', registeredIn('CA'))).toEqual([null, 'not_collecting']);
    expect(reasons('CA-BC', 'valid')).toEqual([null, null]);
  });
});

describe('the order of the reasons', () => {
  it('puts `no_tax` before reverse charge', () => {
    expect(reasons('ES-CN', 'valid')).toEqual(['no_tax']);
  });

  it('puts reverse charge before a zero rate', () => {
    const place = { country: 'IE' };
    const buyerTaxId = { country: 'IE', status: 'valid' } as const;
    const { components } = taxTreatment({
      place,
      category: 'e_book',
      date: '2026-03-01',
      settings: settings(),
      buyerTaxId,
    });
    expect(components[0]).toMatchObject({ rate: null, reason: 'reverse_charge' });
  });
});
