import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type QuoteLine, quote } from '../../shared/domain/checkout/quote.ts';
import type { TaxComponent } from '../../shared/domain/checkout/tax.ts';
import { sum } from '../../shared/domain/money/money.ts';
import { campaign } from '../support/seeded.ts';
import { quoteLine, treatment, vat } from '../support/shop/payments.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 30_000) });

const gst = (rate: string): TaxComponent => ({ ...vat(rate, 'GST'), jurisdiction: 'CA' });
const qst = (rate: string): TaxComponent => ({ ...vat(rate, 'QST'), jurisdiction: 'CA-QC' });
const line = (unitAmount: number, components: TaxComponent[], taxInclusive = true): QuoteLine => ({
  unitAmount,
  quantity: 1,
  taxInclusive,
  treatment: treatment(...components),
});

describe('a quote', () => {
  it('splits Québec into two taxes on the same net', () => {
    // 100.00: 10000 × 0.05 / 1.14975 = 434.87…, 10000 × 0.09975 / 1.14975 = 867.58…
    const { net, lines } = quote([line(10_000, [gst('0.05'), qst('0.09975')])]);
    expect(lines[0]?.components.map((component) => component.amount)).toEqual([435, 868]);
    expect(net).toBe(8_697);
  });

  it('adds both taxes to an exclusive price, each rounded separately', () => {
    // 100.00 × 5 % = 5.00; 100.00 × 9.975 % = 9.975 → 9.98
    const { gross, lines } = quote([line(10_000, [gst('0.05'), qst('0.09975')], false)]);
    expect(lines[0]?.components.map((component) => component.amount)).toEqual([500, 998]);
    expect(gross).toBe(11_498);
  });

  it('taxes only the part of the net that the law names', () => {
    const texas: TaxComponent = { ...vat('0.0625', 'Sales tax'), jurisdiction: 'US-TX', baseFraction: '0.8' };
    // 29.99 × 0.05 / 1.05 = 1.428…
    expect(quote([line(2_999, [texas])])).toMatchObject({ tax: 143, net: 2_856, gross: 2_999 });
  });

  it('rounds once for all lines of one rate, not once per line', () => {
    // five lines of 99.00 at 22 %: 49500 × 0.22 / 1.22 = 8926.2…; line by line it would be 5 × 1785 = 8925
    const { tax, lines } = quote(Array.from({ length: 5 }, () => quoteLine({ unitAmount: 9_900, rates: ['0.22'] })));
    expect(tax).toBe(8_926);
    expect(sum(lines.map((priced) => priced.tax))).toBe(8_926);
  });

  it('keeps the total of a tax-inclusive price, with any tax and with any reason for no tax', () => {
    const reasons = ['no_tax', 'reverse_charge', 'not_collecting', 'zero_rated', 'exempt', 'not_taxable'] as const;
    const treatments = [
      ...['0', '0.07', '0.19', '0.27'].map((rate) => [vat(rate)]),
      ...reasons.map((reason) => [{ ...vat('0'), rate: null, reason }]),
    ];
    for (const components of treatments) expect(quote([line(1_999, components)]).gross).toBe(1_999);
  });

  it('handles prices with and without tax in one cart', () => {
    const cart = [line(1_190, [vat('0.19')]), line(1_000, [vat('0.19')], false)];
    expect(quote(cart)).toMatchObject({ net: 2_000, tax: 380, gross: 2_380 });
  });

  it('refuses a line or a total beyond 32 bits', () => {
    const code = { code: 'INTEGER_CONVERSION_FAILURE' };
    expect(() => quote([{ ...line(2_147_483_647, [vat('0')]), quantity: 2 }])).toThrow(expect.objectContaining(code));
    const most = line(2_147_483_647, [vat('0')]);
    expect(quote([most]).gross).toBe(2_147_483_647);
    expect(() => quote([most, line(1, [vat('0')])])).toThrow(expect.objectContaining(code));
    expect(() => quote([line(2_147_483_647, [vat('0.19')], false)])).toThrow(expect.objectContaining(code));
  });

  const component = fc.record({
    rate: fc.nat(250_000).map((millionths) => (millionths / 1_000_000).toFixed(6)),
    baseFraction: fc.constantFrom('1', '0.8', '0.5'),
    jurisdiction: fc.constantFrom('DE', 'CA-QC'),
    name: fc.constantFrom('VAT', 'GST'),
    reason: fc.constantFrom(null, null, null, 'not_collecting' as const),
  });
  const cart = fc.array(
    fc.record({
      unitAmount: fc.oneof(fc.nat(10), fc.nat(1_000_000)),
      quantity: fc.integer({ min: 1, max: 20 }),
      taxInclusive: fc.boolean(),
      treatment: fc.record({
        components: fc.array(component, { minLength: 1, maxLength: 4 }),
        warnings: fc.constant([]),
      }),
    }),
    { minLength: 1, maxLength: 8 },
  );

  it('adds up in every row and column, has nothing negative, and is the same every time', () => {
    fc.assert(
      fc.property(cart, (lines) => {
        const result = quote(lines);
        expect(quote(lines)).toEqual(result);
        for (const part of ['net', 'tax', 'gross'] as const) {
          expect(sum(result.lines.map((priced) => priced[part]))).toBe(result[part]);
          for (const priced of result.lines) expect(priced[part]).toBeGreaterThanOrEqual(0);
        }
        for (const [index, priced] of result.lines.entries()) {
          const entered = lines[index]!.unitAmount * lines[index]!.quantity;
          expect(priced.net + priced.tax).toBe(priced.gross);
          expect(lines[index]!.taxInclusive ? priced.gross : priced.net).toBe(entered);
          expect(sum(priced.components.map(({ amount }) => amount))).toBe(priced.tax);
          for (const { amount, reason } of priced.components) {
            expect(amount).toBeGreaterThanOrEqual(0);
            if (reason !== null) expect(amount).toBe(0);
          }
        }
      }),
      { numRuns: campaign(20_000, 800) },
    );
  });
});

describe('the option of one rounding for each rate', () => {
  const yen = (unitAmount: number, taxInclusive: boolean): QuoteLine =>
    quoteLine({ unitAmount, taxInclusive, rates: ['0.1'] });
  // 15 inclusive: 1.364 tax; 14 exclusive: 1.4 tax. Apart 1 + 1 = 2; together 2.764, so 3.
  const mixed = [yen(15, true), yen(14, false)];

  it('calculates one tax for inclusive and exclusive lines of a rate together', () => {
    const { lines, ...totals } = quote(mixed, 'rate_set');
    expect(lines.map(({ net, tax, gross }) => [net, tax, gross])).toEqual([
      [14, 1, 15],
      [14, 2, 16],
    ]);
    expect(totals).toEqual({ net: 28, tax: 3, gross: 31 });
  });

  it('is off by default: inclusive and exclusive lines are then rounded separately', () => {
    expect(quote(mixed)).toMatchObject({ net: 28, tax: 2, gross: 30 });
  });

  it('changes nothing when all lines are inclusive or all are exclusive', () => {
    for (const taxInclusive of [true, false]) {
      const lines = [yen(15, taxInclusive), yen(14, taxInclusive), yen(333, taxInclusive)];
      expect(quote(lines, 'rate_set')).toEqual(quote(lines));
    }
  });
});
