import { describe, expect, it } from 'vitest';
import { businessRuleOf, businessRules, reliefWordingOf } from '../../shared/tax/business-buyers.ts';
import { sources } from '../../shared/tax/rates/sources.ts';
import { assertRegistration } from '../../shared/tax/rules/registration.ts';
import { checkTaxIdFormat } from '../../shared/tax/tax-ids/tax-id.ts';
import { registrationIn } from './builders.ts';

/** The rules that were checked on 2026-11-22: place, mode, words of the document, confidence. */
// biome-ignore format: one rule to a line
const rules: readonly [place: string, mode: string, wording: string, confidence: string][] = [
  ['EU', 'relieved', 'reverse_charge', 'high'],
  ['DE', 'relieved', 'reverse_charge: Steuerschuldnerschaft des Leistungsempfängers', 'high'],
  ['FR', 'relieved', 'reverse_charge: Autoliquidation', 'high'],
  ['GB', 'relieved', 'reverse_charge', 'high'],
  ['CH', 'charged', 'none', 'high'],
  ['LI', 'charged', 'none', 'medium'],
  ['NO', 'relieved', 'none', 'high'],
  ['IS', 'relieved', 'reverse_charge', 'medium'],
  ['AU', 'relieved', 'gst_registered', 'high'],
  ['NZ', 'relieved', 'none', 'high'],
  ['CA', 'by_scheme', 'none', 'high'],
  ['CA-QC', 'by_scheme', 'none', 'high'],
  ['CA-BC', 'charged', 'none', 'medium'],
  ['CA-MB', 'charged', 'none', 'medium'],
  ['CA-SK', 'charged', 'none', 'medium'],
  ['IN', 'relieved', 'payable_under_reverse_charge', 'high'],
  ['JP', 'charged', 'none', 'high'],
  ['KR', 'relieved', 'none', 'medium'],
  ['TW', 'relieved', 'none', 'high'],
  ['TH', 'relieved', 'none', 'high'],
  ['SG', 'relieved', 'none', 'high'],
  ['MY', 'charged', 'none', 'high'],
  ['ID', 'charged', 'none', 'high'],
  ['PH', 'relieved', 'none', 'medium'],
  ['VN', 'relieved', 'none', 'medium'],
  ['AE', 'relieved', 'reverse_charge', 'medium'],
  ['SA', 'relieved', 'reverse_charge', 'high'],
  ['BH', 'relieved', 'reverse_charge', 'medium'],
  ['OM', 'relieved', 'reverse_charge', 'medium'],
  ['EG', 'relieved', 'none', 'low'],
  ['TR', 'relieved', 'none', 'high'],
  ['IL', 'charged', 'none', 'low'],
  ['ZA', 'charged', 'none', 'high'],
  ['KE', 'charged', 'none', 'high'],
  ['NG', 'charged', 'none', 'high'],
  ['GH', 'charged', 'none', 'low'],
  ['TZ', 'relieved', 'none', 'low'],
  ['CL', 'relieved', 'none', 'high'],
  ['CO', 'relieved', 'none', 'medium'],
  ['PE', 'relieved', 'none', 'medium'],
  ['MX', 'charged', 'none', 'high'],
  ['UY', 'charged', 'none', 'low'],
  ['AR', 'no_seller_scheme', 'none', 'high'],
  ['BR', 'no_seller_scheme', 'none', 'high'],
  ['CN', 'no_seller_scheme', 'none', 'high'],
  ['RS', 'charged', 'none', 'medium'],
  ['UA', 'relieved', 'none', 'medium'],
  ['KZ', 'relieved', 'none', 'medium'],
  ['GE', 'relieved', 'none', 'medium'],
  ['RU', 'relieved', 'none', 'high'],
  ['US', 'charged', 'none', 'high'],
];

describe('the tax rule for business buyers', () => {
  it.each(rules)('in %s is %s, with this wording on the document: %s (%s)', (place, mode, wording, confidence) => {
    const rule = businessRules().get(place);
    const words = rule && [rule.wording.kind, rule.wording.phrase].filter(Boolean).join(': ');
    expect([rule?.mode, words, rule?.confidence]).toEqual([mode, wording, confidence]);
    expect(rule?.sources.every((key) => sources[key])).toBe(true);
  });

  it('exists in the table for exactly the expected places', () => {
    expect([...businessRules().keys()].sort()).toEqual(rules.map(([place]) => place).sort());
  });

  it('charges the tax in a country that is not in the table', () => {
    expect(businessRuleOf({ country: 'PY', region: undefined })).toMatchObject({ mode: 'charged', confidence: 'low' });
  });

  it('is the same in a territory as in the country whose VAT applies there', () => {
    const wordingOf = (country: string) => businessRuleOf({ country, region: undefined }).wording.phrase;
    expect(wordingOf('MC')).toBe('Autoliquidation');
    expect(businessRuleOf({ country: 'IM', region: undefined }).mode).toBe('relieved');
    expect(businessRuleOf({ country: 'CA', region: 'ON' }).mode).toBe('by_scheme');
  });

  it('uses general wording on a document if a business was not charged although the law charges it', () => {
    expect(reliefWordingOf({ country: 'CH' })).toEqual({ kind: 'reverse_charge' });
    expect(reliefWordingOf({ country: 'CA' })).toEqual({ kind: 'none' });
    expect(reliefWordingOf({ country: 'GP' })).toEqual({ kind: 'reverse_charge', phrase: 'Autoliquidation' });
  });

  it('can be changed by the merchant only where the table’s confidence is low', () => {
    for (const [place, , , confidence] of rules) {
      const registration = { ...registrationIn(place === 'EU' ? 'IE' : place), businessBuyers: 'charged' as const };
      const change = () => assertRegistration(place === 'US' ? { ...registration, region: 'TX' } : registration);
      if (confidence === 'low') expect(change).not.toThrow();
      else expect(change).toThrow(/is known/);
    }
  });
});

describe('the tax id of a business', () => {
  // biome-ignore format: one country to a line
  it.each([
    ['LI', 'CHE-116.281.710', 'CHE116281710', 'CH VAT'],
    ['LI', '50123', '50123', 'CH VAT'],
    ['IS', 'IS 12345', '12345', 'IS VSK'],
    ['NZ', '49-091-850', '49091850', 'NZ GST'],
    ['NZ', '9429041234567', '9429041234567', 'NZ GST'],
    ['IN', '27AAPFU0939F1ZV', '27AAPFU0939F1ZV', 'IN GSTIN'],
    ['KR', '123-45-67890', '1234567890', 'KR BRN'],
    ['TW', '00501503', '00501503', 'TW UBN'],
    ['TH', '0105536112233', '0105536112233', 'TH TIN'],
    ['AE', '100123456700003', '100123456700003', 'AE TRN'],
    ['SA', '300123456700003', '300123456700003', 'SA VAT'],
    ['TR', '1234567890', '1234567890', 'TR VKN'],
    ['CL', '76.123.456-K', '76123456K', 'CL RUT'],
    ['PE', '20123456789', '20123456789', 'PE RUC'],
    ['UA', '123456789012', '123456789012', 'UA VAT'],
    ['RU', '7707083893', '7707083893', 'RU INN'],
    ['SG', '201912345K', '201912345K', 'SG GST'],
    ['MX', 'XAXX010101000', 'XAXX010101000', 'MX RFC'],
  ])('in %s is recognized: %s is stored as %s (%s)', (country, written, id, formatName) => {
    expect(checkTaxIdFormat(written, country)).toEqual({ id, country, status: 'unverified', formatName });
  });

  it.each([
    ['AE', '10012345670000'],
    ['SA', '100123456700003'],
    ['IN', '27AAPFU0939F1Z'],
    ['KR', '123456789'],
    ['TH', '010553611223'],
    ['AU', '01824753556'],
    ['RU', '77070838931'],
    ['CA', '123456789'],
    ['CA', '123026635RT0001 and more'],
  ])('in %s is refused as %s', (country, written) => {
    expect(checkTaxIdFormat(written, country).status).toBe('invalid');
  });

  it.each([
    ['123026635 RT 0001', '123026635RT0001', ['ca_gst_hst'], 'CA GST/HST'],
    ['1234567890TQ0001', '1234567890TQ0001', ['ca_qst'], 'CA QST'],
    [
      '123026635RT0001, 1234567890TQ0001',
      '123026635RT0001, 1234567890TQ0001',
      ['ca_gst_hst', 'ca_qst'],
      'CA GST/HST, QST',
    ],
    [
      '1234567890 TQ 0001 123026635 RT 0001',
      '123026635RT0001, 1234567890TQ0001',
      ['ca_gst_hst', 'ca_qst'],
      'CA GST/HST, QST',
    ],
  ])('in Canada has one or two numbers: %s', (written, id, kinds, formatName) => {
    expect(checkTaxIdFormat(written, 'CA')).toEqual({ id, country: 'CA', status: 'unverified', formatName, kinds });
  });

  it('shows in Australia that the business is registered for GST', () => {
    expect(checkTaxIdFormat('51 824 753 556', 'AU')).toMatchObject({ statement: 'gst_registered' });
    expect(checkTaxIdFormat('nonsense', 'AU')).not.toHaveProperty('statement');
  });
});
