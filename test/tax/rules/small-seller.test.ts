import { describe, expect, it } from 'vitest';
import { taxCategories } from '../../../shared/domain/checkout/tax.ts';
import { isCrossBorder } from '../../../shared/tax/cross-border.ts';
import { resolvePlace } from '../../../shared/tax/places/resolve-place.ts';
import {
  boundUntil,
  countedSale,
  leaveSmallSeller,
  mostCountedBefore,
  roomAtHome,
  type SmallSeller,
  stateSmallSeller,
} from '../../../shared/tax/rules/small-seller.ts';
import { taxTreatment } from '../../../shared/tax/treatment.ts';
import { registeredIn } from '../builders.ts';

const rule = (elsewhere: SmallSeller['elsewhere'] = {}): SmallSeller => ({ from: '2026-01-01', elsewhere });
const sold = (counted: Record<string, number>) => ({ counted, rates: undefined });

describe('the remaining amount that a small seller may sell with home tax', () => {
  const cases: {
    what: string;
    elsewhere: Record<string, number>;
    counted: Record<string, number>;
    room: number | undefined;
  }[] = [
    { what: 'the whole limit without sales', elsewhere: {}, counted: {}, room: 1_000_000 },
    {
      what: 'the rest after sales here and elsewhere',
      elsewhere: { 2026: 400_000 },
      counted: { 2026: 1 },
      room: 599_999,
    },
    { what: 'nothing at exactly 10,000.00, which is not passed', elsewhere: {}, counted: { 2026: 1_000_000 }, room: 0 },
    { what: 'no room once the limit is passed', elsewhere: {}, counted: { 2026: 1_000_001 }, room: undefined },
    {
      what: 'the whole limit after a year of exactly 10,000.00',
      elsewhere: { 2025: 1_000_000 },
      counted: {},
      room: 1_000_000,
    },
    {
      what: 'no room after a year that passed it',
      elsewhere: { 2025: 600_000 },
      counted: { 2025: 400_001 },
      room: undefined,
    },
  ];
  it.each(cases)('is right: $what', ({ elsewhere, counted, room }) => {
    expect(roomAtHome(rule(elsewhere), sold(counted), '2026-07-01')).toBe(room);
  });

  it('does not exist before the declaration, or from the day on which the seller opts out', () => {
    expect(roomAtHome(rule(), sold({}), '2025-12-31')).toBeUndefined();
    const left = { ...rule(), until: '2026-05-01' };
    expect([roomAtHome(left, sold({}), '2026-04-30'), roomAtHome(left, sold({}), '2026-05-01')]).toEqual([
      1_000_000,
      undefined,
    ]);
  });

  it('limits the counted sales so that the new sale still fits', () => {
    // 10,000.00 less 4,000.00 elsewhere less 12.34 of the sale
    expect(mostCountedBefore(rule({ 2026: 400_000 }), { year: '2026', amount: 1_234 })).toBe(598_766);
  });
});

describe('a sale of a small seller', () => {
  const counts = (country: string, category: (typeof taxCategories)[number] = 'e_book', postalCode?: string) =>
    isCrossBorder(resolvePlace({ country, postalCode }), { category, merchantCountry: 'DE' });

  it('counts if it is an electronic service to another member state, and live tutoring is not', () => {
    expect(taxCategories.filter((category) => counts('FR', category))).toEqual([
      'digital_products',
      'saas',
      'e_book',
      'edtech',
    ]);
    expect(['DE', 'GB', 'CH', 'FR', 'MC'].filter((country) => counts(country))).toEqual(['FR', 'MC']);
    expect([counts('ES', 'e_book', '28001'), counts('ES', 'e_book', '35001')]).toEqual([true, false]); // Madrid, the Canaries
  });

  it('is counted in euros by the given rates, and is not counted without a rate', () => {
    const rates = { date: '2026-01-05', source: 'European Central Bank', perEuro: { USD: '1.25' } };
    const of = (currency: string, net = 1_000) =>
      countedSale(rule(), { counted: {}, rates }, { net, currency, date: '2026-02-01' });
    expect([of('EUR'), of('USD'), of('AED'), of('EUR', 0)]).toEqual([
      { year: '2026', amount: 1_000 },
      { year: '2026', amount: 800 }, // 10.00 ÷ 1.25
      undefined,
      undefined,
    ]);
  });

  const settings = { ...registeredIn('DE', 'oss'), smallSeller: rule() };
  const treated = (fields: object) =>
    taxTreatment({ place: { country: 'FR' }, category: 'saas', date: '2026-07-01', settings, ...fields });

  it('is taxed at home with the home registration, or at the buyer’s place with OSS', () => {
    expect(treated({ isAtHome: true })).toMatchObject({
      components: [{ jurisdiction: 'DE', rate: '0.19', reason: null }],
      ...{ taxedIn: 'DE', isCrossBorder: true, registrations: ['reg_DE'] },
    });
    const abroad = treated({ isAtHome: false });
    expect(abroad).toMatchObject({ components: [{ jurisdiction: 'FR', rate: '0.2' }], registrations: ['reg_oss'] });
    expect(abroad.taxedIn).toBeUndefined();
  });

  it('to a business is neither counted nor taxed at home', () => {
    const business = treated({ isAtHome: true, buyerTaxId: { country: 'FR', status: 'valid' } });
    expect(business).toMatchObject({ components: [{ jurisdiction: 'FR', reason: 'reverse_charge' }] });
    expect([business.taxedIn, business.isCrossBorder]).toEqual([undefined, undefined]);
  });

  it('of live tutoring is taxed at the buyer’s place', () => {
    const lesson = treated({ isAtHome: true, category: 'live_tutoring' });
    expect([lesson.components[0]?.jurisdiction, lesson.isCrossBorder]).toEqual(['FR', undefined]);
  });
});

describe('the declaration of a small seller', () => {
  const at = (today: string, merchantCountry = 'DE') => ({ today, merchantCountry });
  const amounts = { lastYear: 100, thisYear: 200 };

  it('starts today, and keeps its start when the amounts are corrected', () => {
    const stated = stateSmallSeller(undefined, amounts, at('2026-03-01'));
    expect(stated).toEqual({ from: '2026-03-01', elsewhere: { 2025: 100, 2026: 200 } });
    const corrected = stateSmallSeller(stated, { lastYear: 0, thisYear: 5 }, at('2027-02-01'));
    expect(corrected).toEqual({ from: '2026-03-01', elsewhere: { 2025: 100, 2026: 0, 2027: 5 } });
  });

  it('is refused outside the EU', () => {
    for (const country of ['GB', 'CH', 'US'])
      expect(() => stateSmallSeller(undefined, amounts, at('2026-03-01', country))).toThrow('member state');
  });

  it('cannot be made again for two calendar years after an opt-out', () => {
    const left = leaveSmallSeller(rule(), '2026-12-30');
    expect(boundUntil(left)).toBe('2027-12-31');
    expect(() => stateSmallSeller(left, amounts, at('2027-12-31'))).toThrow('2028-01-01');
    expect(stateSmallSeller(left, amounts, at('2028-01-01'))).toMatchObject({ from: '2028-01-01' });
    expect(() => leaveSmallSeller(left, '2027-01-01')).toThrow();
    expect(() => leaveSmallSeller(undefined, '2027-01-01')).toThrow();
  });
});
