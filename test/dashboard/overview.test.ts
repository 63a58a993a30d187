import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barChart } from '../../shared/dashboard/reports/chart.ts';
import { amountBands, currenciesOf, lastDays, niceStep, overviewOf } from '../../shared/domain/reports/overview.ts';
import { aPayment } from '../support/shop/payments.ts';

const sold = (createdAt: string, unitAmount: number, currency = 'EUR') => ({
  ...aPayment([{ unitAmount }], currency),
  createdAt,
});

describe('the overview', () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-03'];
  const payments = [
    sold('2026-03-01T00:00:00.000Z', 1_190),
    sold('2026-03-03T23:59:59.999Z', 2_380),
    { ...sold('2026-03-03T10:00:00.000Z', 1_190), refunded: 500, refundable: 690 },
    { ...sold('2026-03-02T10:00:00.000Z', 9_999), status: 'failed' as const },
    sold('2026-03-02T10:00:00.000Z', 700, 'USD'),
  ];

  it('adds up what succeeded in one currency, day by day', () => {
    const overview = overviewOf(payments, { days, currency: 'EUR', openlyPriced: new Set() });
    expect(overview.days).toEqual([
      { date: '2026-03-01', net: 1_000, tax: 190 },
      { date: '2026-03-02', net: 0, tax: 0 },
      { date: '2026-03-03', net: 3_000, tax: 570 },
    ]);
    expect(overview).toMatchObject({ count: 3, gross: 4_760, tax: 760, refunded: 500, chosen: [] });
  });

  it('tells what was chosen where the buyer chose', () => {
    const open = new Set(payments[0]?.lines.map(({ productId }) => productId));
    expect(overviewOf(payments, { days, currency: 'EUR', openlyPriced: open }).chosen).toEqual([1_190, 2_380, 1_190]);
  });

  it('names currencies by how often they were paid in', () => {
    expect(currenciesOf(payments)).toEqual(['EUR', 'USD']);
  });

  it('ends with today', () => {
    expect(lastDays(new Date('2026-03-01T23:59:59Z'), 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });
});

it('a step is 1, 2 or 5 times a power of ten, and enough of them reach the end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), fc.integer({ min: 1, max: 20 }), (length, steps) => {
      const step = niceStep(length, steps);
      expect(String(step)).toMatch(/^[125]0*$/);
      expect(step * steps).toBeGreaterThanOrEqual(length);
    }),
  );
});

it('every amount lies in exactly one band, and there are never too many of them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2_147_483_647 }), { minLength: 1, maxLength: 200 }), (amounts) => {
      const bands = amountBands(amounts, 12);
      expect(bands.length).toBeLessThanOrEqual(12);
      expect(bands.reduce((total, { count }) => total + count, 0)).toBe(amounts.length);
      for (const [index, band] of bands.entries())
        if (index > 0) expect(band.from).toBe((bands[index - 1]?.to ?? 0) + 1);
    }),
  );
});

describe('a chart', () => {
  const chart = (values: readonly number[]) =>
    barChart({
      id: 'c',
      title: 'T',
      description: 'D',
      format: String,
      bars: values.map((value) => ({ label: '<b>', title: '"t"', parts: [value, value] as const })),
    }).text;

  it('draws each part within its area, and nothing for nothing', () => {
    const rects = [
      ...chart([0, 5, 10]).matchAll(
        /<rect class="bar(?: tax)?" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
      ),
    ];
    expect(rects).toHaveLength(4);
    for (const [, x, y, width, height] of rects) {
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(720);
      expect(Number(y)).toBeGreaterThanOrEqual(12);
      expect(Number(y) + Number(height)).toBeLessThanOrEqual(212.01);
    }
  });

  it('of nothing but zeros, or of the widest amounts, has an axis all the same', () => {
    for (const values of [[0, 0], [2_147_483_647]]) expect(chart(values)).not.toMatch(/NaN|Infinity/);
  });

  it('says in words what it shows, and text stays text', () => {
    expect(chart([1])).toContain('role="img" aria-labelledby="c-chart-title c-chart-text"');
    expect(chart([1])).not.toMatch(/<b>|"t"</);
  });
});
