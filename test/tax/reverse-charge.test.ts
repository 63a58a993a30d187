import { describe, expect, it } from 'vitest';
import type { Place } from '../../shared/domain/checkout/tax.ts';
import type { BuyerTaxId } from '../../shared/tax/reverse-charge.ts';
import type { TaxSettings } from '../../shared/tax/rules/settings.ts';
import { taxTreatment } from '../../shared/tax/treatment.ts';
import { registeredIn, settings, simplifiedIn } from './builders.ts';

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

  it.each(['CH', 'LI', 'JP', 'MY', 'ID', 'ZA', 'KE', 'NG', 'MX', 'RS', 'IL', 'UY'])(
    'in %s, as soon as the merchant is registered there, and not before',
    (country) => {
      expect(reasons(country, 'valid', registeredIn(country))).toEqual([null]);
      expect(reasons(country, 'valid')).toEqual([null]);
      expect(reasons(country, 'valid', registeredIn('US-NY'))).toEqual(['not_collecting']);
    },
  );

  it('in Ghana in all of its three levies', () => {
    expect(reasons('GH', 'valid', registeredIn('GH'))).toEqual([null, null, null]);
  });

  it('in a US state and in a country that the table does not list', () => {
    expect(reasons('US-NY', 'valid', registeredIn('US-NY'))).toEqual([null]);
    expect(reasons('PY', 'valid', registeredIn('PY'))).toEqual([null]);
  });

  it('in Liechtenstein under a Swiss registration, which covers it, and the other way round', () => {
    expect(sell('LI', { country: 'LI', status: 'valid' }, registeredIn('CH'))).toMatchObject({
      components: [{ jurisdiction: 'LI', rate: '0.081', reason: null }],
      registrations: ['reg_CH'],
    });
    expect(reasons('CH', 'valid', registeredIn('LI'))).toEqual([null]);
    const swiss = { ...registeredIn('CH'), merchantCountry: 'CH' };
    expect(reasons('LI', 'valid', swiss)).toEqual([null]);
  });

  it('outside the Union where the merchant is not registered: nothing is collected', () => {
    expect(reasons('GB', 'valid', registeredIn('DE'))).toEqual(['not_collecting']);
  });
});

describe('outside the Union a business accounts for the tax', () => {
  const relieving = 'GB NO IS AU NZ KR TW TH SG PH VN AE SA BH OM EG TR TZ CL CO PE UA KZ GE RU'.split(' ');

  it.each(relieving)('in %s, under a registration there or everywhere', (country) => {
    expect(reasons(country, 'valid', registeredIn(country))).toEqual(['reverse_charge']);
    expect(reasons(country, 'valid')).toEqual(['reverse_charge']);
  });

  it('in India, for IGST', () => {
    expect(reasons('IN-KA', 'valid', registeredIn('IN'))).toEqual(['reverse_charge']);
    expect(reasons('IN-KA', 'valid', { ...registeredIn('IN-KA'), merchantCountry: 'IN' })).toEqual([null, null]);
  });

  it('under a simplified scheme as under an ordinary registration', () => {
    for (const country of relieving)
      expect([country, ...reasons(country, 'valid', simplifiedIn(country))]).toEqual([country, 'reverse_charge']);
  });
});

describe('a business in Canada', () => {
  const both = ['ca_gst_hst', 'ca_qst'] as const;
  const canadian = (code: string, kinds: readonly ('ca_gst_hst' | 'ca_qst')[], by: TaxSettings) =>
    sell(code, { country: 'CA', status: 'valid', kinds: [...kinds] }, by).components.map(({ reason }) => reason);

  it('is relieved of each tax by that tax’s own number, under simplified registrations', () => {
    const simplified = simplifiedIn('CA', 'CA-QC');
    expect(canadian('CA-QC', ['ca_qst'], simplified)).toEqual([null, 'reverse_charge']);
    expect(canadian('CA-QC', ['ca_gst_hst'], simplified)).toEqual(['reverse_charge', null]);
    expect(canadian('CA-QC', both, simplified)).toEqual(['reverse_charge', 'reverse_charge']);
    expect(canadian('CA-ON', ['ca_gst_hst'], simplified)).toEqual(['reverse_charge']);
    expect(canadian('CA-ON', ['ca_qst'], simplified)).toEqual([null]);
  });

  it('is charged under standard registrations, whatever numbers it has', () => {
    const standard = registeredIn('CA', 'CA-QC', 'CA-BC');
    expect(canadian('CA-QC', both, standard)).toEqual([null, null]);
    expect(canadian('CA-ON', both, standard)).toEqual([null]);
    expect(canadian('CA-BC', both, standard)).toEqual([null, null]);
  });

  it('is decided tax by tax where only one registration is simplified', () => {
    const mixed = {
      ...registeredIn('CA', 'CA-QC'),
      registrations: [...registeredIn('CA').registrations, ...simplifiedIn('CA-QC').registrations],
    };
    expect(canadian('CA-QC', both, mixed)).toEqual([null, 'reverse_charge']);
    expect(canadian('CA-QC', both, simplifiedIn('CA'))).toEqual(['reverse_charge', 'not_collecting']);
  });

  it('pays provincial sales tax in the other provinces', () => {
    expect(canadian('CA-BC', both, simplifiedIn('CA', 'CA-BC'))).toEqual(['reverse_charge', null]);
  });

  it('is charged where a sandbox collects without a registration, because its scheme is unknown', () => {
    expect(canadian('CA-QC', both, settings())).toEqual([null, null]);
  });
});

describe('a business where foreign sellers cannot register', () => {
  it.each(['AR', 'CN'])('in %s is not charged, and no registration is behind it', (country) => {
    const { components, registrations } = sell(country, { country, status: 'valid' }, settings());
    expect([components.map(({ reason }) => reason), registrations]).toEqual([['not_collecting'], []]);
  });

  it('is charged by a merchant who is established there', () => {
    expect(reasons('AR', 'valid', { ...settings(), merchantCountry: 'AR' })).toEqual([null]);
  });
});

describe('a merchant’s own answer', () => {
  const answering = (country: string, businessBuyers: 'relieved' | 'charged'): TaxSettings => {
    const known = registeredIn(country);
    return { ...known, registrations: known.registrations.map((one) => ({ ...one, businessBuyers })) };
  };

  it('counts where the law on businesses is not certain', () => {
    expect(reasons('TZ', 'valid', answering('TZ', 'charged'))).toEqual([null]);
    expect(reasons('IL', 'valid', answering('IL', 'relieved'))).toEqual(['reverse_charge']);
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
