import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Quote, type QuoteLine, quote } from '../../shared/domain/checkout/quote.ts';
import { type TaxCategory, taxCategories } from '../../shared/domain/checkout/tax.ts';
import { regionsOf } from '../../shared/tax/places/regions.ts';
import { rateRows } from '../../shared/tax/rates/rate-table.ts';
import type { TaxSettings } from '../../shared/tax/rules/settings.ts';
import { taxTreatment } from '../../shared/tax/treatment.ts';

/** Exact rationals, and nothing of the product: the rules of the tax reference written down a second time. */
type Rational = readonly [numerator: bigint, denominator: bigint];

function fromDecimal(text: string): Rational {
  const [whole = '', places = ''] = text.split('.');
  return [BigInt(whole + places), 10n ** BigInt(places.length)];
}
const times = (a: Rational, b: Rational): Rational => [a[0] * b[0], a[1] * b[1]];
const plus = (a: Rational, b: Rational): Rational => [a[0] * b[1] + b[0] * a[1], a[1] * b[1]];
const over = (a: Rational, b: Rational): Rational => [a[0] * b[1], a[1] * b[0]];
/** ⌊x + ½⌋ */
const halfUp = ([n, d]: Rational): bigint => (2n * n + d) / (2n * d);
const whole = (n: number): Rational => [BigInt(n), 1n];

interface Expected {
  lines: { net: number; tax: number; gross: number; components: number[] }[];
}

function oracle(lines: readonly QuoteLine[], isOncePerRate = false): Expected {
  const groups = new Map<string, number[]>();
  for (const [index, { treatment, taxInclusive }] of lines.entries()) {
    const parts = treatment.components.map((c) => [c.jurisdiction, c.name, c.rate, c.baseFraction, c.reason]);
    const key = JSON.stringify([isOncePerRate || taxInclusive, parts]);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  const result: Expected = { lines: [] };
  for (const members of groups.values()) solveGroup(lines, members, result);
  return result;
}

const enteredOf = ({ unitAmount, quantity, discount = 0 }: QuoteLine): bigint =>
  BigInt(unitAmount) * BigInt(quantity) - BigInt(discount);

function solveGroup(lines: readonly QuoteLine[], members: number[], result: Expected): void {
  const first = lines[members[0]!]!;
  const amounts = members.map((index) => enteredOf(lines[index]!));
  const shares = first.treatment.components.map((c) =>
    c.reason === null ? times(fromDecimal(c.rate!), fromDecimal(c.baseFraction)) : ([0n, 1n] as const),
  );
  // What each line contributes to a tax of 100 %: a gross amount its net, a net amount itself.
  const grossOfOne = shares.reduce(plus, whole(1));
  const nets = amounts.map((amount, position) =>
    over([amount, 1n], lines[members[position]!]!.taxInclusive ? grossOfOne : whole(1)),
  );
  const net = nets.reduce(plus, whole(0));
  const taxes = shares.map((share) => halfUp(times(net, share)));
  const tax = taxes.reduce((a, b) => a + b, 0n);
  const common = nets.reduce((so, [, denominator]) => so * denominator, 1n);
  const weights = nets.map(([numerator, denominator]) => (numerator * common) / denominator);
  const perLine = largestRemainder(
    tax,
    weights,
    weights.reduce((a, b) => a + b, 0n),
  );
  let running = 0n;
  let before = taxes.map(() => 0n);
  for (const [position, index] of members.entries()) {
    running += perLine[position]!;
    const after = nested(running, taxes);
    const components = after.map((value, c) => Number(value - before[c]!));
    before = after;
    const [amount, lineTax] = [Number(amounts[position]), Number(perLine[position])];
    result.lines[index] = lines[index]!.taxInclusive
      ? { net: amount - lineTax, tax: lineTax, gross: amount, components }
      : { net: amount, tax: lineTax, gross: amount + lineTax, components };
  }
}

function largestRemainder(total: bigint, weights: bigint[], sum: bigint): bigint[] {
  if (sum === 0n) return weights.map(() => 0n);
  const floors = weights.map((weight) => (total * weight) / sum);
  let missing = total - floors.reduce((a, b) => a + b, 0n);
  const order = weights.map((weight, index) => ({ index, rest: (total * weight) % sum }));
  order.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1));
  for (const { index } of order) {
    if (missing === 0n) break;
    floors[index]! += 1n;
    missing -= 1n;
  }
  return floors;
}

/** X·C₁/T to the first, the rest in the same way to the others, the last takes what is left. */
function nested(x: bigint, taxes: bigint[]): bigint[] {
  let [rest, room] = [x, taxes.reduce((a, b) => a + b, 0n)];
  return taxes.map((tax, index) => {
    const share = index === taxes.length - 1 ? rest : room === 0n ? 0n : halfUp([rest * tax, room]);
    rest -= share;
    room -= tax;
    return share;
  });
}

const settings: TaxSettings = {
  merchantCountry: 'DE',
  registrations: [],
  overrides: [],
  collectPolicy: 'everywhere',
  onUnsupported: 'zero',
  onUnverifiedTaxId: 'charge',
};

const countries = [...new Set(rateRows().map((row) => row.country))];
const places = countries.flatMap((country) => {
  const regions = regionsOf(country);
  return regions.length > 0 ? regions.map(({ code }) => ({ country, region: code })) : [{ country }];
});

const treatmentAt = (place: { country: string; region?: string }, category: TaxCategory) =>
  taxTreatment({ place, category, date: '2026-03-01', settings });

const figures = ({ lines }: Quote): Expected => ({
  lines: lines.map(({ net, tax, gross, components }) => ({
    net,
    tax,
    gross,
    components: components.map((c) => c.amount),
  })),
});

const cartAt = (place: { country: string; region?: string }) =>
  fc.array(
    fc
      .record({
        unitAmount: fc.oneof(fc.nat(20), fc.nat(100_000), fc.nat(2_147_483)),
        quantity: fc.integer({ min: 1, max: 50 }),
        taxInclusive: fc.boolean(),
        treatment: fc.constantFrom(...taxCategories).map((category) => treatmentAt(place, category)),
        percentOff: fc.constantFrom(0, 0, 1, 33, 100),
      })
      .map(({ percentOff, ...line }) =>
        percentOff === 0
          ? line
          : { ...line, discount: Math.floor((line.unitAmount * line.quantity * percentOff) / 100) },
      ),
    { minLength: 1, maxLength: 8 },
  );

describe('the price calculation, compared with an independent one in exact fractions', () => {
  it(`agrees to the minor unit in all ${places.length} places, for every category, behaviour, quantity and amount`, () => {
    for (const place of places)
      fc.assert(
        fc.property(cartAt(place), (lines) => {
          expect(figures(quote(lines))).toEqual(oracle(lines));
        }),
        { numRuns: 30 },
      );
  });

  it('agrees when a rate is rounded once for inclusive and exclusive lines, as in Japan, with one tax or three', () => {
    for (const place of [{ country: 'JP' }, { country: 'GH' }, { country: 'CA', region: 'QC' }])
      fc.assert(
        fc.property(cartAt(place), (lines) => {
          const priced = quote(lines, 'rate_set');
          expect(figures(priced)).toEqual(oracle(lines, true));
          for (const [index, { net, tax, gross }] of priced.lines.entries()) {
            expect(lines[index]!.taxInclusive ? gross : net).toBe(Number(enteredOf(lines[index]!)));
            expect([net + tax === gross, net >= 0]).toEqual([true, true]);
          }
        }),
        { numRuns: 1_000 },
      );
  });

  it('agrees at the limit of 32 bits', () => {
    for (const amount of [2_147_483_647, 2_147_483_646, 2_147_483_629])
      for (const place of places) {
        const lines = [{ unitAmount: amount, quantity: 1, taxInclusive: true, treatment: treatmentAt(place, 'saas') }];
        expect(figures(quote(lines))).toEqual(oracle(lines));
      }
  });

  it('subtracts the same discount in every place, also from the total of an inclusive price', () => {
    for (const place of places)
      for (const category of taxCategories) {
        const treatment = treatmentAt(place, category);
        const line = { unitAmount: 1_999, quantity: 3, discount: 600, taxInclusive: true, treatment };
        expect(quote([line]).gross).toBe(5_397);
      }
  });

  it('keeps the displayed total of an inclusive price in every place, for every category', () => {
    for (const place of places)
      for (const category of taxCategories) {
        const line = { unitAmount: 1_999, quantity: 3, taxInclusive: true, treatment: treatmentAt(place, category) };
        expect(quote([line]).gross).toBe(5_997);
      }
  });
});
