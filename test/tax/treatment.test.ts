import { describe, expect, it } from 'vitest';
import { type Place, type TaxCategory, taxCategories } from '../../shared/domain/checkout/tax.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { localDate } from '../../shared/tax/places/local-date.ts';
import { rateRows } from '../../shared/tax/rates/rate-table.ts';
import type { TaxSettings } from '../../shared/tax/rules/settings.ts';
import { taxTreatment } from '../../shared/tax/treatment.ts';
import { registeredIn, registrationIn, settings } from './builders.ts';

const date = '2026-03-01';

const treat = (place: Place | string, category: TaxCategory, by: TaxSettings = settings(), on = date) =>
  taxTreatment({ place: typeof place === 'string' ? placeFrom(place) : place, category, date: on, settings: by });

const placeFrom = (code: string): Place => ({ country: code.slice(0, 2), region: code.slice(3) || undefined });

/** `VAT 0.19`, or `VAT no_tax`, or `VAT 0 zero_rated`. */
const taxes = (...query: Parameters<typeof treat>) =>
  treat(...query).components.map(({ name, rate, reason }) =>
    [name, rate, reason].filter((part) => part !== null).join(' '),
  );

describe('a sale is taxed by the law of the buyer’s place:', () => {
  it.each<[string, TaxCategory, string[]]>([
    ['FI', 'e_book', ['VAT 0.135']],
    ['FI', 'saas', ['VAT 0.255']],
    ['LV', 'e_book', ['VAT 0.05']],
    ['LV', 'saas', ['VAT 0.21']],
    ['HU', 'e_book', ['VAT 0.27']],
    ['HU', 'saas', ['VAT 0.27']],
    ['IE', 'e_book', ['VAT 0 zero_rated']],
    ['IE', 'saas', ['VAT 0.23']],
    ['GB', 'e_book', ['VAT 0 zero_rated']],
    ['XI', 'saas', ['VAT 0.2']],
    ['JP', 'saas', ['JCT 0.1']],
    ['MC', 'saas', ['VAT 0.2']],
    ['BR', 'e_book', ['Tax exempt']],
    ['CA-QC', 'saas', ['GST 0.05', 'QST 0.09975']],
    ['CA-ON', 'e_book', ['HST 0.13']],
    ['CA-BC', 'saas', ['GST 0.05', 'PST 0.07']],
    ['US-NY', 'saas', ['State sales tax 0.04']],
    ['US-CA', 'saas', ['State sales tax not_taxable']],
    ['US-OR', 'saas', ['Tax no_tax']],
    ['HK', 'saas', ['Tax no_tax']],
    ['PT-30', 'e_book', ['VAT 0.04']],
    ['ES-CN', 'saas', ['VAT no_tax']],
  ])('in %s for %s with %j', (place, category, expected) => {
    expect(taxes(place, category)).toEqual(expected);
  });

  it('in Texas on 80 % of the price of software, and on the whole price of downloads', () => {
    expect(treat('US-TX', 'saas').components).toEqual([
      { name: 'State sales tax', jurisdiction: 'US-TX', rate: '0.0625', baseFraction: '0.8', reason: null },
    ]);
    expect(treat('US-TX', 'e_book').components[0]).toMatchObject({ rate: '0.0625', baseFraction: '1' });
  });

  it('in Québec by two authorities, and never at 14.975 %', () => {
    const { components, rowIds } = treat('CA-QC', 'e_book');
    expect(components.map(({ jurisdiction }) => jurisdiction)).toEqual(['CA', 'CA-QC']);
    expect(JSON.stringify(components)).not.toContain('14975');
    expect(rowIds).toEqual(['CA-QC/e_book/2013-01-01']);
  });

  it('with no tax in the Canary Islands, because of the postal code alone', () => {
    expect(treat({ country: 'ES', postalCode: '35001' }, 'saas').components).toEqual([
      { name: 'VAT', jurisdiction: 'ES-CN', rate: null, baseFraction: '1', reason: 'no_tax' },
    ]);
    expect(taxes({ country: 'ES', postalCode: '28013' }, 'saas')).toEqual(['VAT 0.21']);
  });

  it('in Madeira at its own rates, in every category', () => {
    for (const category of taxCategories)
      expect(taxes({ country: 'PT', postalCode: '9000-001' }, category)).toEqual([
        category === 'e_book' ? 'VAT 0.04' : 'VAT 0.22',
      ]);
  });

  it('at the rates of the local date: midnight in Bucharest and in Helsinki', () => {
    const at = (country: string, category: TaxCategory, instant: string) =>
      taxes(country, category, settings(), localDate({ country }, instant));
    expect(at('RO', 'saas', '2025-07-31T20:59:59Z')).toEqual(['VAT 0.19']);
    expect(at('RO', 'saas', '2025-07-31T21:00:00Z')).toEqual(['VAT 0.21']);
    expect(at('FI', 'e_book', '2025-12-31T21:59:59Z')).toEqual(['VAT 0.14']);
    expect(at('FI', 'e_book', '2025-12-31T22:00:00Z')).toEqual(['VAT 0.135']);
  });
});

describe('India', () => {
  const merchant = (...states: string[]) => ({ ...registeredIn(...states), merchantCountry: 'IN' });

  it('charges CGST and SGST in two halves if the merchant is registered in the buyer’s state', () => {
    expect(treat('IN-KA', 'saas', merchant('IN-MH', 'IN-KA'))).toMatchObject({
      components: [
        { name: 'CGST', jurisdiction: 'IN', rate: '0.09', reason: null },
        { name: 'SGST', jurisdiction: 'IN-KA', rate: '0.09', reason: null },
      ],
      registrations: ['reg_IN-KA'],
    });
    expect(taxes('IN-KA', 'e_book', merchant('IN-KA'))).toEqual(['CGST 0.025', 'SGST 0.025']);
  });

  it('charges UTGST instead of SGST in a union territory without a legislature', () => {
    expect(taxes('IN-CH', 'saas', merchant('IN-CH'))).toEqual(['CGST 0.09', 'UTGST 0.09']);
    expect(taxes('IN-DL', 'saas', merchant('IN-DL'))).toEqual(['CGST 0.09', 'SGST 0.09']);
  });

  it('charges IGST between states, under any registration in India', () => {
    expect(treat('IN-KA', 'saas', merchant('IN-MH'))).toMatchObject({
      components: [{ name: 'IGST', jurisdiction: 'IN', rate: '0.18', reason: null }],
      registrations: ['reg_IN-MH'],
    });
  });

  it('charges IGST when the merchant is foreign', () => {
    expect(taxes('IN-KA', 'saas', registeredIn('IN'))).toEqual(['IGST 0.18']);
    expect(taxes('IN-KA', 'saas', settings())).toEqual(['IGST 0.18']);
    expect(taxes('IN-KA', 'e_book', settings())).toEqual(['IGST 0.05']);
    expect(taxes('IN-KA', 'saas', registeredIn('IN-KA'))).toEqual(['IGST 0.18']);
  });

  it('charges IGST under a simplified registration, which belongs to no state', () => {
    const simplified = merchant('IN-KA').registrations.map((one) => ({ ...one, scheme: 'simplified' as const }));
    expect(taxes('IN-KA', 'saas', { ...merchant(), registrations: simplified })).toEqual(['IGST 0.18']);
  });

  it('treats the merchant’s own state as registered in a sandbox that collects everywhere', () => {
    const home = settings({ merchantCountry: 'IN', merchantRegion: 'KA' });
    expect(taxes('IN-KA', 'saas', home)).toEqual(['CGST 0.09', 'SGST 0.09']);
    expect(taxes('IN-MH', 'saas', home)).toEqual(['IGST 0.18']);
  });
});

describe('a merchant collects tax where it is registered', () => {
  it.each<[string, string[], string[]]>([
    ['DE', [], ['VAT not_collecting']],
    ['DE', ['DE'], ['VAT 0.19']],
    ['FR', ['DE'], ['VAT not_collecting']],
    ['FR', ['oss'], ['VAT 0.2']],
    ['GB', ['oss'], ['VAT not_collecting']],
    ['GB', ['GB'], ['VAT 0.2']],
    ['IM', ['GB'], ['VAT 0.2']],
    ['MC', ['oss'], ['VAT 0.2']],
    ['PT-30', ['oss'], ['VAT 0.22']],
    ['FR-GP', ['oss'], ['VAT not_collecting']], // outside the Union's VAT territory
    ['FR-GP', ['FR'], ['VAT 0.085']],
    ['ES-CN', [], ['VAT no_tax']],
    ['US-NY', ['US-TX'], ['State sales tax not_collecting']],
    ['US-TX', ['US-TX'], ['State sales tax 0.0625']],
    ['US-CA', [], ['State sales tax not_collecting']],
    ['US-CA', ['US-CA'], ['State sales tax not_taxable']],
    ['US-OR', [], ['Tax no_tax']],
    ['CA-QC', ['CA'], ['GST 0.05', 'QST not_collecting']],
    ['CA-QC', ['CA-QC'], ['GST not_collecting', 'QST 0.09975']],
    ['CA-QC', ['CA', 'CA-QC'], ['GST 0.05', 'QST 0.09975']],
    ['CA-BC', ['CA'], ['GST 0.05', 'PST not_collecting']],
    ['CA-ON', ['CA'], ['HST 0.13']],
    ['IN-KA', [], ['IGST not_collecting']],
    ['AF', [], ['Tax not_collecting']],
    ['BR', [], ['Tax not_collecting']],
  ])('in %s with the registrations %j: %j', (place, registrations, expected) => {
    expect(taxes(place, 'saas', registeredIn(...registrations))).toEqual(expected);
  });

  it('and without one the reason is “not collecting”, even for a rate of zero', () => {
    expect(taxes('GB', 'e_book', registeredIn())).toEqual(['VAT not_collecting']);
  });

  it('while the registration is active: from its first day until the day before it ends', () => {
    const registrations = [{ ...registrationIn('DE'), activeFrom: '2026-03-01', expiresAt: '2026-04-01' }];
    const by = settings({ collectPolicy: 'registered_only', registrations });
    expect(taxes('DE', 'saas', by, '2026-02-28')).toEqual(['VAT not_collecting']);
    expect(taxes('DE', 'saas', by, '2026-03-01')).toEqual(['VAT 0.19']);
    expect(taxes('DE', 'saas', by, '2026-03-31')).toEqual(['VAT 0.19']);
    expect(taxes('DE', 'saas', by, '2026-04-01')).toEqual(['VAT not_collecting']);
  });

  it('with a registration of the country, or else OSS', () => {
    expect(treat('DE', 'saas', registeredIn('oss', 'DE')).registrations).toEqual(['reg_DE']);
    expect(treat('FR', 'saas', registeredIn('oss', 'DE')).registrations).toEqual(['reg_oss']);
    expect(treat('CA-QC', 'saas', registeredIn('CA', 'CA-QC')).registrations).toEqual(['reg_CA', 'reg_CA-QC']);
    expect(treat('FR', 'saas', registeredIn()).registrations).toEqual([]);
  });
});

describe('a sale that is not in the rate table', () => {
  const reject = (onUnsupported: TaxSettings['onUnsupported'], by = settings()) => ({ ...by, onUnsupported });
  const refusalOf = (place: string, category: TaxCategory, by = settings()) => {
    try {
      treat(place, category, by);
    } catch (error) {
      if (error instanceof DomainError) return error;
    }
    throw new Error('not refused');
  };

  it.each<[string, TaxCategory]>([
    ['US-TX', 'edtech'],
    ['US-NY', 'live_tutoring'],
    ['CA-BC', 'edtech'],
    ['CA-MB', 'edtech'],
    ['CA-ON', 'live_tutoring'],
    ['BR', 'saas'],
    ['AF', 'saas'],
  ])('in %s for %s is refused by `reject`, and untaxed with a warning by `zero`', (place, category) => {
    const { code, message, details } = refusalOf(place, category);
    expect(code).toBe('UNSUPPORTED_COUNTRY');
    expect(message).toContain(place);
    expect(message).toContain(category);
    expect(details.faults).toEqual([{ path: 'billing_address.country', message }]);

    const { components, warnings, rowIds } = treat(place, category, reject('zero'));
    expect(components.every(({ rate, reason }) => rate === null && reason === 'unsupported')).toBe(true);
    expect(warnings).toContain('unsupported');
    expect(rowIds).toEqual([]);
  });

  it('is not taxed if the merchant does not collect tax there', () => {
    expect(taxes('US-TX', 'edtech', registeredIn())).toEqual(['State sales tax not_collecting']);
    expect(taxes('CA-BC', 'edtech', registeredIn('US-TX'))).toEqual(['GST not_collecting', 'PST not_collecting']);
  });

  it('is refused if the merchant collects one of its taxes', () => {
    expect(refusalOf('US-TX', 'edtech', registeredIn('US-TX')).code).toBe('UNSUPPORTED_COUNTRY');
    expect(refusalOf('CA-BC', 'edtech', registeredIn('CA')).code).toBe('UNSUPPORTED_COUNTRY');
    expect(taxes('CA-BC', 'edtech', reject('zero', registeredIn('CA')))).toEqual([
      'GST unsupported',
      'PST not_collecting',
    ]);
  });
});

describe('the warnings about a tax', () => {
  it.each<[string, TaxCategory, string[]]>([
    ['DE', 'saas', []],
    ['DE', 'live_tutoring', ['not_electronically_supplied']],
    ['US-TX', 'saas', ['estimate_state_only']],
    ['US-CO', 'saas', ['estimate_state_only']], // not taxed by the state, by home-rule cities
    ['US-AK', 'saas', ['estimate_state_only']],
    ['US-MA', 'saas', []],
    ['US-OR', 'live_tutoring', ['not_electronically_supplied']],
    ['CA-QC', 'saas', []],
  ])('in %s for %s are %j', (place, category, expected) => {
    expect(treat(place, category).warnings).toEqual(expected);
  });

  it('do not include an estimate if the tax is not collected', () => {
    expect(treat('US-TX', 'saas', registeredIn()).warnings).toEqual([]);
  });

  it('name the US states whose facts say that local taxes are added', () => {
    for (const { region } of rateRows().filter(
      ({ country, category }) => country === 'US' && category === 'standard',
    )) {
      const notes = rateRows()
        .filter((row) => row.country === 'US' && row.region === region)
        .map(({ note = '' }) => note);
      const hasLocalTaxes = notes.some((note) => note.includes('local taxes come on top'));
      expect(treat(`US-${region}`, 'saas').warnings.includes('estimate_state_only'), region).toBe(hasLocalTaxes);
    }
  });
});

describe('every treatment', () => {
  const places = [...new Set(rateRows().map(({ country, region }) => `${country}|${region ?? ''}`))]
    .map((key) => ({ country: key.split('|')[0]!, region: key.split('|')[1] || undefined }))
    .filter(({ country, region }) => country !== 'IN' || region === 'KA');
  const policies = [
    settings({ onUnsupported: 'zero' }),
    { ...registeredIn('oss', 'US-TX', 'CA', 'GB'), onUnsupported: 'zero' as const },
  ];

  it('has a component, a rate only where tax is charged or zero-rated, and otherwise a reason', () => {
    for (const place of places)
      for (const category of taxCategories)
        for (const by of policies) {
          const { components } = treat(place, category, by);
          expect(components.length).toBeGreaterThan(0);
          for (const { rate, reason } of components) {
            if (reason === null) expect(Number(rate)).toBeGreaterThan(0);
            else expect(rate).toBe(reason === 'zero_rated' ? '0' : null);
          }
        }
  });

  it('is the same every time', () => {
    for (const place of places) expect(treat(place, 'saas', policies[0])).toEqual(treat(place, 'saas', policies[0]));
  });
});
