import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barChart } from '../../shared/dashboard/reports/chart.ts';
import type { RefundBrief } from '../../shared/domain/payments/refund.ts';
import {
  amountBands,
  chosenAmounts,
  currenciesOf,
  niceStep,
  overviewOf,
  salesIn,
  spansOf,
} from '../../shared/domain/reports/overview.ts';
import { customPeriod, daysOf, periodUntil } from '../../shared/domain/reports/period.ts';
import {
  keptSales,
  noSales,
  type ProductSales,
  type Sales,
  type SalesTotals,
  salesOf,
} from '../../shared/domain/reports/sales.ts';
import { aPayment } from '../support/shop/payments.ts';

const sold = (createdAt: string, unitAmount: number, currency = 'EUR') => ({
  ...aPayment([{ unitAmount }], currency),
  createdAt,
});

const refunded = (amount: number, currency = 'EUR', status: RefundBrief['status'] = 'succeeded'): RefundBrief => ({
  id: 'ref_1',
  paymentId: 'pay_1',
  status,
  createdAt: '2026-03-03T00:00:00.000Z',
  updatedAt: '2026-03-03T00:00:00.000Z',
  isPartial: true,
  amount,
  currency,
});

describe('the overview', () => {
  const days: Record<string, Sales> = {
    '2026-02-27': salesOf([sold('2026-02-27T12:00:00.000Z', 2_380)], []),
    '2026-03-01': salesOf([sold('2026-03-01T00:00:00.000Z', 1_190)], []),
    '2026-03-02': salesOf(
      [
        { ...sold('2026-03-02T10:00:00.000Z', 9_999), status: 'failed' as const },
        sold('2026-03-02T10:00:00.000Z', 700, 'USD'),
      ],
      [refunded(500, 'USD')],
    ),
    '2026-03-03': salesOf(
      [sold('2026-03-03T23:59:59.999Z', 2_380), sold('2026-03-03T10:00:00.000Z', 1_190)],
      [refunded(500), refunded(100, 'EUR', 'failed')],
    ),
  };
  const byDay = (day: string) => days[day] ?? noSales;
  const period = { from: '2026-03-01', to: '2026-03-03', before: { from: '2026-02-26', to: '2026-02-28' } };

  it('adds up successful payments in one currency, and compares them with the previous period', () => {
    const { totals, before, spans } = overviewOf(byDay, 'EUR', period);
    expect(totals).toMatchObject({ count: 3, gross: 4_760, net: 4_000, tax: 760, refunded: 500, feesUnknown: 3 });
    expect(before).toMatchObject({ count: 1, gross: 2_380, tax: 380, refunded: 0 });
    expect(spans).toEqual([
      { from: '2026-03-01', to: '2026-03-01', net: 1_000, tax: 190 },
      { from: '2026-03-02', to: '2026-03-02', net: 0, tax: 0 },
      { from: '2026-03-03', to: '2026-03-03', net: 3_000, tax: 570 },
    ]);
  });

  it('counts what the sales gave, unless a day was counted by a version that did not', () => {
    const payment = sold('2026-03-01T00:00:00.000Z', 1_190);
    const entitlement = (type: string) => ({ id: `ent_${type}`, type, name: type });
    const entitlements = ['license_key', 'digital_files'].map(entitlement);
    const lines = payment.lines.map((line) => ({ ...line, quantity: 3, entitlements }));
    const giving = salesOf([{ ...payment, lines } as unknown as typeof payment], []);
    const [{ given: _, ...older }] = (days['2026-03-02'] ?? noSales).totals as [SalesTotals];
    const countedEarlier = { totals: [{ ...older, currency: 'EUR', count: 1 }], products: [] };
    const givenIn = (others: Sales) =>
      overviewOf((day) => (day === '2026-03-01' ? giving : others), 'EUR', period).totals.given;
    expect(givenIn(noSales)).toEqual({ digital_files: 1, license_key: 3, feature_flag: 0 });
    expect(givenIn(countedEarlier)).toBeUndefined();
  });

  it('shows no comparison when the previous days are unknown', () => {
    const unknown = (day: string) => (day === '2026-02-26' ? undefined : byDay(day));
    expect(overviewOf(unknown, 'EUR', period).before).toBeNull();
  });

  it('lists first the product with the highest revenue, and shows the amounts that buyers chose', () => {
    const [best, ...others] = overviewOf(byDay, 'EUR', period).products;
    expect(others).toEqual([]);
    expect(best).toMatchObject({ units: 3, gross: 4_760 });
    expect(best?.amounts).toEqual([
      [1_190, 2],
      [2_380, 1],
    ]);
    // (2 × 11.90 + 23.80) ÷ 3 = 15.87
    const expected = { units: 3, average: 1_587, median: 1_190, atMinimum: 2 };
    expect(chosenAmounts(best as ProductSales, 1_190)).toEqual(expected);
  });

  it('lists currencies by number of payments', () => {
    expect(currenciesOf(salesIn(byDay, { from: '2026-02-27', to: '2026-03-03' }))).toEqual(['EUR', 'USD']);
  });

  it('stores the best products of a day, each with its lowest and most frequent amounts', () => {
    const lines = Array.from({ length: 60 }, (_, index) => ({ unitAmount: 100 + index, quantity: index + 1 }));
    const many = salesOf([aPayment(lines)], []);
    const [first] = many.products;
    const spread = lines.map(({ unitAmount, quantity }): [number, number] => [unitAmount, quantity]);
    const kept = keptSales({ ...many, products: [...many.products, { ...(first as ProductSales), amounts: spread }] });
    expect(kept.products).toHaveLength(40);
    expect(kept.products[0]?.gross).toBe(159 * 60);
    const { products } = keptSales({ totals: [], products: [{ ...(first as ProductSales), amounts: spread }] });
    expect(products[0]?.amounts).toHaveLength(20);
    expect(products[0]?.amounts.slice(0, 2)).toEqual([
      [100, 1],
      [141, 42],
    ]);
  });
});

describe('a reporting period', () => {
  const today = '2026-03-01';

  it('ends today, and is compared with an equal number of days before it', () => {
    expect(periodUntil(today, 'today')).toMatchObject({
      from: today,
      before: { from: '2026-02-28', to: '2026-02-28' },
    });
    expect(periodUntil(today, '7')).toMatchObject({
      from: '2026-02-23',
      to: today,
      before: { from: '2026-02-16', to: '2026-02-22' },
    });
  });

  it('of a year is compared with the same days of the year before, even on a leap day', () => {
    const { from, before } = periodUntil('2028-02-29', 'year');
    expect({ from, before }).toEqual({ from: '2028-01-01', before: { from: '2027-01-01', to: '2027-02-28' } });
  });

  it.each([
    ['that ends before it begins', '2026-02-02', '2026-02-01'],
    ['that is not over', '2026-02-01', '2026-03-02'],
    ['of more than a year', '2025-02-28', today],
  ])('of %s is refused', (_, from, to) => {
    expect(customPeriod(today, { from, to })).toBeUndefined();
    expect(customPeriod(today, { from: '2025-03-01', to: today })).toBeDefined();
  });

  it('is divided into parts that contain every day', () => {
    for (const count of [1, 45, 46, 90, 182, 183, 366]) {
      const period = {
        from: new Date(Date.parse(today) - (count - 1) * 86_400_000).toISOString().slice(0, 10),
        to: today,
      };
      const spans = spansOf(period);
      expect(spans.length).toBeLessThanOrEqual(45);
      expect(spans.flatMap(daysOf)).toEqual(daysOf(period));
    }
  });
});

it('the axis step is 1, 2 or 5 times a power of ten, and the steps reach the highest value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), fc.integer({ min: 1, max: 20 }), (length, steps) => {
      const step = niceStep(length, steps);
      expect(String(step)).toMatch(/^[125]0*$/);
      expect(step * steps).toBeGreaterThanOrEqual(length);
    }),
  );
});

it('every amount lies in exactly one bar of the amount chart, and the number of bars is limited', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2_147_483_647 }), { minLength: 1, maxLength: 200 }), (amounts) => {
      const bands = amountBands(
        amounts.map((amount) => [amount, 1]),
        12,
      );
      expect(bands.length).toBeLessThanOrEqual(12);
      expect(bands.reduce((total, { count }) => total + count, 0)).toBe(amounts.length);
      for (const [index, band] of bands.entries())
        if (index > 0) expect(band.from).toBe((bands[index - 1]?.to ?? 0) + 1);
    }),
  );
});

describe('a chart of the overview', () => {
  const chart = (values: readonly number[]) =>
    barChart({
      id: 'c',
      title: 'T',
      description: 'D',
      format: String,
      bars: values.map((value) => ({ label: '<b>', title: '"t"', parts: [value, value] as const })),
    }).text;

  it('draws each bar inside its area, and no bar for zero', () => {
    const rects = [
      ...chart([0, 5, 10]).matchAll(
        /<rect class="bar(?: tax)?" x="([\d.]+)%" y="([\d.]+)" width="([\d.]+)%" height="([\d.]+)"/g,
      ),
    ];
    expect(rects).toHaveLength(4);
    for (const [, x, y, width, height] of rects) {
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(100);
      expect(Number(y)).toBeGreaterThanOrEqual(12);
      expect(Number(y) + Number(height)).toBeLessThanOrEqual(212.01);
    }
  });

  it('has an axis even when all values are zero or very large', () => {
    for (const values of [[0, 0], [2_147_483_647]]) expect(chart(values)).not.toMatch(/NaN|Infinity/);
  });

  it('describes its content in text for screen readers, and escapes names', () => {
    expect(chart([1])).toContain('role="img" aria-labelledby="c-chart-title c-chart-text"');
    expect(chart([1])).not.toMatch(/<b>|"t"</);
  });
});
