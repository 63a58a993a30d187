import { describe, expect, it } from 'vitest';
import type { Place, TaxCategory } from '../../shared/domain/checkout/tax.ts';
import type { RateOverride } from '../../shared/tax/rules/override.ts';
import { taxTreatment } from '../../shared/tax/treatment.ts';
import { override, settings } from './builders.ts';

const austin = { country: 'US', region: 'TX', postalCode: '78701' };

const treat = (
  overrides: RateOverride[],
  place: Place = austin,
  category: TaxCategory = 'e_book',
  date = '2026-03-01',
) => taxTreatment({ place, category, date, settings: settings({ overrides }) });

const taxes = (...query: Parameters<typeof treat>) =>
  treat(...query).components.map(({ name, rate, baseFraction, reason }) =>
    [name, rate, baseFraction === '1' ? null : `of ${baseFraction}`, reason].filter((part) => part !== null).join(' '),
  );

const replacing = (changes: Partial<RateOverride> = {}) =>
  override({ id: 'ovr_replace', mode: 'replace', region: undefined, postalCodePrefix: undefined, ...changes });

describe('a tax rate that the merchant adds', () => {
  it('is charged on top of the rate of the tax table', () => {
    expect(taxes([override()])).toEqual(['State sales tax 0.0625', 'Austin 0.02']);
    expect(treat([override()])).toMatchObject({ rowIds: ['US-TX/e_book', 'ovr_austin'], warnings: [] });
    expect(treat([override()]).components[1]?.jurisdiction).toBe('US-TX');
  });

  it('applies to the same part of the price as the table’s rate: 80 % of software in Texas', () => {
    expect(taxes([override()], austin, 'saas')).toEqual(['State sales tax 0.0625 of 0.8', 'Austin 0.02 of 0.8']);
  });

  it('can apply to a different part of the price than the table’s rate', () => {
    const components = [{ name: 'Austin', rate: '0.02', baseFraction: '0.5' }];
    expect(taxes([override({ components })], austin, 'saas')).toEqual([
      'State sales tax 0.0625 of 0.8',
      'Austin 0.02 of 0.5',
    ]);
  });

  it('applies only to its postal codes, in any spelling', () => {
    expect(taxes([override()], { ...austin, postalCode: '75201' })).toEqual(['State sales tax 0.0625']);
    expect(taxes([override()], { country: 'US', region: 'TX' })).toEqual(['State sales tax 0.0625']);
    expect(taxes([override()], { ...austin, postalCode: '787 01-1234' })).toHaveLength(2);
  });

  it('applies only on its days', () => {
    const days = override({ effectiveFrom: '2026-03-01', effectiveTo: '2026-04-01' });
    const on = (date: string) => taxes([days], austin, 'e_book', date).length;
    expect(['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'].map(on)).toEqual([1, 2, 2, 1]);
  });

  it('is charged on a sale that the state does not tax: cities of Colorado tax software', () => {
    const denver = override({
      region: 'CO',
      postalCodePrefix: '802',
      components: [{ name: 'Denver', rate: '0.0515' }],
    });
    const place = { country: 'US', region: 'CO', postalCode: '80202' };
    expect(taxes([denver], place, 'saas')).toEqual(['State sales tax not_taxable', 'Denver 0.0515']);
  });

  it('does not make a sale taxable that is missing in the tax table', () => {
    expect(() => treat([override()], austin, 'edtech')).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_COUNTRY' }),
    );
  });

  it('is collected under the registration of its US state', () => {
    const by = { ...settings({ overrides: [override()] }), collectPolicy: 'registered_only' as const };
    const { components } = taxTreatment({ place: austin, category: 'e_book', date: '2026-03-01', settings: by });
    expect(components.map(({ reason }) => reason)).toEqual(['not_collecting', 'not_collecting']);
  });
});

describe('a tax rate with which the merchant replaces another', () => {
  it('is used instead of the table', () => {
    const german = replacing({ country: 'DE', components: [{ name: 'VAT', rate: '0.05' }] });
    expect(taxes([german], { country: 'DE' })).toEqual(['VAT 0.05']);
    expect(treat([german], { country: 'DE' }).rowIds).toEqual(['ovr_replace']);
  });

  it('is used where the table has no row', () => {
    const courses = replacing({
      region: 'TX',
      category: 'edtech',
      components: [{ name: 'State sales tax', rate: '0.0625' }],
    });
    expect(taxes([courses], austin, 'edtech')).toEqual(['State sales tax 0.0625']);
  });

  it('can state that there is no tax, with a reason', () => {
    const school = replacing({ country: 'DE', category: 'live_tutoring', taxability: 'exempt', components: [] });
    expect(taxes([school], { country: 'DE' }, 'live_tutoring')).toEqual(['VAT exempt']);
    expect(taxes([{ ...school, taxability: 'zero_rated' }], { country: 'DE' }, 'live_tutoring')).toEqual([
      'VAT 0 zero_rated',
    ]);
  });

  it('leaves other tax categories unchanged', () => {
    const books = replacing({ country: 'DE', category: 'e_book', components: [{ name: 'VAT', rate: '0.05' }] });
    expect(taxes([books], { country: 'DE' }, 'saas')).toEqual(['VAT 0.19']);
  });

  it('applies to a territory under either of its codes', () => {
    const reunion = (place: Partial<RateOverride>) =>
      replacing({ ...place, components: [{ name: 'VAT', rate: '0.021' }] });
    expect(taxes([reunion({ country: 'RE' })], { country: 'RE' })).toEqual(['VAT 0.021']);
    expect(taxes([reunion({ country: 'FR', region: '974' })], { country: 'RE' })).toEqual(['VAT 0.021']);
    expect(taxes([reunion({ country: 'RE' })], { country: 'FR' })).toEqual(['VAT 0.055']);
  });
});

describe('when several overrides match', () => {
  const named = (name: string, changes: Partial<RateOverride>) =>
    replacing({ id: name, components: [{ name, rate: '0.01' }], ...changes });
  const everywhere = named('country', {});
  const ofCategory = named('country and category', { category: 'e_book' });
  const ofState = named('state', { region: 'TX' });
  const ofPrefix = named('prefix', { region: 'TX', postalCodePrefix: '787' });
  const ofLongerPrefix = named('longer prefix', { region: 'TX', postalCodePrefix: '78701' });
  const ofAll = named('longer prefix and category', { region: 'TX', postalCodePrefix: '78701', category: 'e_book' });

  it('the most specific one wins: postal prefix, state, country, and with a category before without', () => {
    const ranked = [ofAll, ofLongerPrefix, ofPrefix, ofState, ofCategory, everywhere];
    for (const [index, expected] of ranked.entries()) {
      const stored = ranked.slice(index);
      expect(treat(stored.toReversed()).rowIds).toEqual([expected.id]);
      expect(treat(stored).rowIds).toEqual([expected.id]);
    }
  });

  it('an addition applies on top of a less specific replacement', () => {
    expect(taxes([override(), ofState])).toEqual(['state 0.01', 'Austin 0.02']);
  });

  it('a replacement removes a less specific addition', () => {
    expect(taxes([override(), ofLongerPrefix])).toEqual(['longer prefix 0.01']);
  });

  it('only the most specific addition applies', () => {
    const books = override({
      id: 'ovr_books',
      category: 'e_book',
      components: [{ name: 'Austin books', rate: '0.01' }],
    });
    expect(taxes([override(), books])).toEqual(['State sales tax 0.0625', 'Austin books 0.01']);
  });

  it('rates that together exceed the price are refused', () => {
    const all = named('all', { region: 'TX', components: [{ name: 'all', rate: '1' }] });
    expect(() => treat([all, override()])).toThrow(/more than 100 %/);
  });
});

describe('an override for one customer', () => {
  const exempt = override({
    id: 'ovr_exempt',
    postalCodePrefix: undefined,
    mode: 'replace',
    taxability: 'exempt',
    components: [],
    customerId: 'cus_1',
    certificate: '01-339',
  });
  const treat = (customerId: string | undefined) =>
    taxTreatment({
      place: { country: 'US', region: 'TX', postalCode: '78701' },
      category: 'e_book',
      date: '2026-03-01',
      settings: settings({ overrides: [override(), exempt] }),
      customerId,
    });

  it('applies before all other overrides, even before a city’s tax, and gives its reason', () => {
    const { components, rowIds, exemption } = treat('cus_1');
    expect([components.map(({ reason }) => reason), rowIds, exemption]).toEqual([
      ['exempt'],
      ['ovr_exempt'],
      'city sales tax (01-339)',
    ]);
  });

  it('does not apply to other customers', () => {
    for (const stranger of ['cus_2', undefined]) {
      expect(treat(stranger).components.map(({ rate }) => rate)).toEqual(['0.0625', '0.02']);
      expect(treat(stranger).exemption).toBeUndefined();
    }
  });
});

describe('an override that exempts a merchant from tax', () => {
  const small = override({
    ...{ id: 'ovr_small', country: 'DE', region: undefined, postalCodePrefix: undefined, mode: 'replace' },
    ...{ taxability: 'exempt', components: [], reason: '§ 19 UStG' },
  });

  it('appears on documents even without a registration', () => {
    const home = { place: { country: 'DE' }, category: 'e_book' as const, date: '2026-03-01' };
    const treated = taxTreatment({
      ...home,
      settings: settings({ collectPolicy: 'registered_only', overrides: [small] }),
    });
    expect(treated).toMatchObject({
      components: [{ reason: 'exempt', rate: null }],
      exemption: '§ 19 UStG',
      registrations: [],
    });
    const without = taxTreatment({ ...home, settings: settings({ collectPolicy: 'registered_only' }) });
    expect(without.components).toMatchObject([{ reason: 'not_collecting' }]);
  });
});
