import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastGross } from '../../shared/domain/catalogue/least-gross.ts';
import { quote } from '../../shared/domain/checkout/quote.ts';
import { type TaxComponent, taxCategories } from '../../shared/domain/checkout/tax.ts';
import { regionsOf } from '../../shared/tax/places/regions.ts';
import { rateRows } from '../../shared/tax/rates/rate-table.ts';
import type { TaxSettings } from '../../shared/tax/rules/settings.ts';
import { taxTreatment } from '../../shared/tax/treatment.ts';
import { treatment, vat } from '../support/shop/payments.ts';

const settings: TaxSettings = {
  merchantCountry: 'DE',
  registrations: [],
  overrides: [],
  collectPolicy: 'everywhere',
  onUnsupported: 'zero',
  onUnverifiedTaxId: 'charge',
};

const countries = [...new Set(rateRows().map((row) => row.country))];
const places: { country: string; region?: string }[] = countries.flatMap((country) => {
  const regions = regionsOf(country);
  return regions.length > 0 ? regions.map(({ code }) => ({ country, region: code })) : [{ country }];
});

const componentsAt = (place: (typeof places)[number], category: (typeof taxCategories)[number]) =>
  taxTreatment({ place, category, date: '2026-03-01', settings }).components;

/** Every set of taxes that some place levies on some category, once. */
const allTaxes = [
  ...new Map(
    places.flatMap((place) =>
      taxCategories.map((category): [string, readonly TaxComponent[]] => {
        const components = componentsAt(place, category);
        return [JSON.stringify(components.map((c) => [c.rate, c.baseFraction, c.reason])), components];
      }),
    ),
  ).values(),
];

/** A decimal string in 10⁻⁶; nothing of the product. */
const millionths = (text: string): bigint => {
  const [whole = '', places = ''] = text.split('.');
  return BigInt(whole + places.padEnd(6, '0'));
};

/** The taxed parts of a net, in 10⁻¹². */
const partsOf = (components: readonly TaxComponent[]): bigint[] =>
  components.filter(({ reason }) => reason === null).map((c) => millionths(c.rate ?? '0') * millionths(c.baseFraction));

/** The net of a gross: each tax rounded half up on the exact fraction. */
function netOf(gross: bigint, parts: readonly bigint[]): bigint {
  const whole = 10n ** 12n + parts.reduce((a, b) => a + b, 0n);
  return parts.reduce((net, part) => net - (2n * gross * part + whole) / (2n * whole), gross);
}

/** The smallest u with net(v × q) ≥ X × q for v = u … u + 2n: tried one by one, from X on, since no net is above its gross. */
function bruteForce(leastNet: number, quantity: number, components: readonly TaxComponent[]): number {
  const parts = partsOf(components);
  const keeps = (v: number) => netOf(BigInt(v) * BigInt(quantity), parts) >= BigInt(leastNet) * BigInt(quantity);
  let run = 0;
  for (let v = leastNet; ; v += 1) {
    run = keeps(v) ? run + 1 : 0;
    if (run === 2 * parts.length + 1) return v - 2 * parts.length;
  }
}

describe('the lowest gross price that leaves the merchant a given net', () => {
  it.each([
    { net: 1_000, place: { country: 'DE' }, least: 1_190 },
    { net: 1_000, place: { country: 'CA', region: 'QC' }, least: 1_150 },
    { net: 1_000, place: { country: 'HU' }, least: 1_270 },
    { net: 1_000, place: { country: 'JP' }, least: 1_100 },
    // 2508 × 25.5/125.5 = 509.59 → 510, net 1998; 2509 → 509.8 → 510, net 1999
    { net: 1_999, place: { country: 'FI' }, least: 2_509 },
  ])('of $net in $place is $least', ({ net, place, least }) => {
    const components = componentsAt(place, 'digital_products');
    expect(leastGross({ leastNet: net, quantity: 1, components })).toBe(least);
  });

  it('is found for the whole line, where rounding allows 397 for each of three pieces', () => {
    expect(leastGross({ leastNet: 333, quantity: 3, components: [vat('0.19')] })).toBe(397);
  });

  it('equals the net where there is no tax, and is 0 for a net of 0', () => {
    const untaxed = { ...vat('0'), rate: null, reason: 'not_collecting' as const };
    expect(leastGross({ leastNet: 1_234, quantity: 7, components: [untaxed] })).toBe(1_234);
    expect(leastGross({ leastNet: 0, quantity: 2, components: [vat('0.19'), vat('0.05')] })).toBe(0);
  });

  it(`equals the result of trying every amount, for all ${allTaxes.length} sets of taxes of ${places.length} places`, () => {
    expect(allTaxes.length).toBeGreaterThan(50);
    for (const components of allTaxes)
      for (const quantity of [1, 2, 3, 7, 100])
        for (const leastNet of [1, 2, 3, 5, 9, 10, 49, 50, 99, 333, 450, 999, 1_000, 1_999, 2_345])
          expect([
            components[0]?.jurisdiction,
            leastNet,
            quantity,
            leastGross({ leastNet, quantity, components }),
          ]).toEqual([components[0]?.jurisdiction, leastNet, quantity, bruteForce(leastNet, quantity, components)]);
  });

  it('leaves the net, and one unit less does not, for 3 000 random lines', () => {
    const line = fc.record({
      components: fc.constantFrom(...allTaxes),
      quantity: fc.integer({ min: 1, max: 1_000 }),
      leastNet: fc.integer({ min: 1, max: 1_000_000 }),
      more: fc.nat(20),
    });
    fc.assert(
      fc.property(line, ({ components, quantity, leastNet, more }) => {
        const least = leastGross({ leastNet, quantity, components });
        const keeps = (unitAmount: number) =>
          quote([{ unitAmount, quantity, taxInclusive: true, treatment: treatment(...components) }]).net >=
          leastNet * quantity;
        expect([keeps(least), keeps(least + more), keeps(least - 1)]).toEqual([true, true, false]);
      }),
      { numRuns: 3_000 },
    );
  });
});
