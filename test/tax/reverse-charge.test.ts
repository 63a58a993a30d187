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

describe('a business in another country of the EU', () => {
  const german = registeredIn('DE');

  it('pays the tax by reverse charge if its id is confirmed', () => {
    expect(sell('FR', { country: 'FR', status: 'valid' }, german)).toMatchObject({
      components: [{ name: 'VAT', jurisdiction: 'FR', rate: null, reason: 'reverse_charge' }],
      registrations: ['reg_DE'],
      warnings: [],
    });
  });

  it('is charged like a consumer if its id is invalid', () => {
    expect(reasons('FR', 'invalid', registeredIn('oss'))).toEqual([null]);
  });

  it('is charged if its id could not be confirmed, unless the merchant accepts such ids', () => {
    expect(reasons('FR', 'unverified', registeredIn('oss'))).toEqual([null]);
    const accepting = { ...registeredIn('oss'), onUnverifiedTaxId: 'accept' as const };
    expect(reasons('FR', 'unverified', accepting)).toEqual(['reverse_charge']);
    expect(sell('FR', { country: 'FR', status: 'unverified' }, accepting).warnings).toEqual(['tax_id_unverified']);
    expect(reasons('FR', 'invalid', accepting)).toEqual([null]);
  });

  it.each(['AT', 'BE', 'ES', 'GR', 'IE', 'NL', 'SE'])('is not charged by a German merchant in %s', (country) => {
    expect(reasons(country, 'valid', german)).toEqual(['reverse_charge']);
  });

  it('is not charged by a merchant outside the EU that is registered in one EU country', () => {
    expect(reasons('FR', 'valid', { ...registeredIn('oss'), merchantCountry: 'US' })).toEqual(['reverse_charge']);
    expect(reasons('FR', 'valid', { ...registeredIn('IE'), merchantCountry: 'US' })).toEqual(['reverse_charge']);
  });

  it('is invoiced with the merchant’s registration at home, if there is one', () => {
    expect(sell('FR', { country: 'FR', status: 'valid' }, registeredIn('IE', 'DE')).registrations).toEqual(['reg_DE']);
    expect(sell('FR', { country: 'FR', status: 'valid' }, registeredIn('IE')).registrations).toEqual(['reg_IE']);
  });

  it('is not charged, with the reason “not collecting”, if the merchant has no registration in the EU', () => {
    expect(reasons('FR', 'valid', registeredIn('GB'))).toEqual(['not_collecting']);
  });
});

describe('a business buyer is charged', () => {
  it('in the merchant’s own country', () => {
    expect(reasons('DE', 'valid', registeredIn('DE'))).toEqual([null]);
    expect(reasons('MC', 'valid', { ...registeredIn('FR'), merchantCountry: 'FR' })).toEqual([null]);
  });

  it('with an id of a different country than its address', () => {
    expect(reasons('FR', 'valid', settings(), 'BE')).toEqual([null]);
  });

  it.each(['CH', 'LI', 'JP', 'MY', 'ID', 'ZA', 'KE', 'NG', 'MX', 'RS', 'IL', 'UY'])(
    'in %s if the merchant is registered there, and otherwise not',
    (country) => {
      expect(reasons(country, 'valid', registeredIn(country))).toEqual([null]);
      expect(reasons(country, 'valid')).toEqual([null]);
      expect(reasons(country, 'valid', registeredIn('US-NY'))).toEqual(['not_collecting']);
    },
  );

  it('in Ghana with all three of its levies', () => {
    expect(reasons('GH', 'valid', registeredIn('GH'))).toEqual([null, null, null]);
  });

  it('in a US state and in a country that is not in the table', () => {
    expect(reasons('US-NY', 'valid', registeredIn('US-NY'))).toEqual([null]);
    expect(reasons('PY', 'valid', registeredIn('PY'))).toEqual([null]);
  });

  it('in Liechtenstein with a Swiss registration, and in Switzerland with one of Liechtenstein', () => {
    expect(sell('LI', { country: 'LI', status: 'valid' }, registeredIn('CH'))).toMatchObject({
      components: [{ jurisdiction: 'LI', rate: '0.081', reason: null }],
      registrations: ['reg_CH'],
    });
    expect(reasons('CH', 'valid', registeredIn('LI'))).toEqual([null]);
    const swiss = { ...registeredIn('CH'), merchantCountry: 'CH' };
    expect(reasons('LI', 'valid', swiss)).toEqual([null]);
  });

  it('no tax outside the EU if the merchant is not registered there', () => {
    expect(reasons('GB', 'valid', registeredIn('DE'))).toEqual(['not_collecting']);
  });
});

describe('a business buyer outside the EU pays by reverse charge', () => {
  const relieving = 'GB NO IS AU NZ KR TW TH SG PH VN AE SA BH OM EG TR TZ CL CO PE UA KZ GE RU'.split(' ');

  it.each(relieving)('in %s, if the merchant is registered there or everywhere', (country) => {
    expect(reasons(country, 'valid', registeredIn(country))).toEqual(['reverse_charge']);
    expect(reasons(country, 'valid')).toEqual(['reverse_charge']);
  });

  it('in India, if the tax is IGST', () => {
    expect(reasons('IN-KA', 'valid', registeredIn('IN'))).toEqual(['reverse_charge']);
    expect(reasons('IN-KA', 'valid', { ...registeredIn('IN-KA'), merchantCountry: 'IN' })).toEqual([null, null]);
  });

  it('with a simplified registration as well as with an ordinary one', () => {
    for (const country of relieving)
      expect([country, ...reasons(country, 'valid', simplifiedIn(country))]).toEqual([country, 'reverse_charge']);
  });
});

describe('a business in Canada', () => {
  const both = ['ca_gst_hst', 'ca_qst'] as const;
  const canadian = (code: string, kinds: readonly ('ca_gst_hst' | 'ca_qst')[], by: TaxSettings) =>
    sell(code, { country: 'CA', status: 'valid', kinds: [...kinds] }, by).components.map(({ reason }) => reason);

  it('is not charged a tax for which it gives a number, if the seller’s registration is simplified', () => {
    const simplified = simplifiedIn('CA', 'CA-QC');
    expect(canadian('CA-QC', ['ca_qst'], simplified)).toEqual([null, 'reverse_charge']);
    expect(canadian('CA-QC', ['ca_gst_hst'], simplified)).toEqual(['reverse_charge', null]);
    expect(canadian('CA-QC', both, simplified)).toEqual(['reverse_charge', 'reverse_charge']);
    expect(canadian('CA-ON', ['ca_gst_hst'], simplified)).toEqual(['reverse_charge']);
    expect(canadian('CA-ON', ['ca_qst'], simplified)).toEqual([null]);
  });

  it('is charged if the seller’s registrations are standard, with any numbers', () => {
    const standard = registeredIn('CA', 'CA-QC', 'CA-BC');
    expect(canadian('CA-QC', both, standard)).toEqual([null, null]);
    expect(canadian('CA-ON', both, standard)).toEqual([null]);
    expect(canadian('CA-BC', both, standard)).toEqual([null, null]);
  });

  it('is charged or not for each tax separately if only one registration is simplified', () => {
    const mixed = {
      ...registeredIn('CA', 'CA-QC'),
      registrations: [...registeredIn('CA').registrations, ...simplifiedIn('CA-QC').registrations],
    };
    expect(canadian('CA-QC', both, mixed)).toEqual([null, 'reverse_charge']);
    expect(canadian('CA-QC', both, simplifiedIn('CA'))).toEqual(['reverse_charge', 'not_collecting']);
  });

  it('is charged provincial sales tax in provinces other than Québec', () => {
    expect(canadian('CA-BC', both, simplifiedIn('CA', 'CA-BC'))).toEqual(['reverse_charge', null]);
  });

  it('is charged in a sandbox without registrations, because the kind of registration is unknown', () => {
    expect(canadian('CA-QC', both, settings())).toEqual([null, null]);
  });
});

describe('a business buyer in a country where foreign sellers cannot register', () => {
  it.each(['AR', 'CN'])('in %s is not charged, and no registration is named', (country) => {
    const { components, registrations } = sell(country, { country, status: 'valid' }, settings());
    expect([components.map(({ reason }) => reason), registrations]).toEqual([['not_collecting'], []]);
  });

  it('is charged by a merchant in the same country', () => {
    expect(reasons('AR', 'valid', { ...settings(), merchantCountry: 'AR' })).toEqual([null]);
  });
});

describe('a merchant’s setting whether to charge business buyers', () => {
  const answering = (country: string, businessBuyers: 'relieved' | 'charged'): TaxSettings => {
    const known = registeredIn(country);
    return { ...known, registrations: known.registrations.map((one) => ({ ...one, businessBuyers })) };
  };

  it('applies only where the law on business buyers is uncertain', () => {
    expect(reasons('TZ', 'valid', answering('TZ', 'charged'))).toEqual([null]);
    expect(reasons('IL', 'valid', answering('IL', 'relieved'))).toEqual(['reverse_charge']);
  });
});

describe('the order of the reasons for no tax', () => {
  it('puts no_tax before reverse charge', () => {
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
