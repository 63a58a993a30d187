import { describe, expect, it } from 'vitest';
import {
  firstNeededDay,
  needsBaseYear,
  type SalesThreshold,
  type SoldDay,
  thresholdStatus,
} from '../../../shared/domain/reports/thresholds.ts';

const today = '2026-08-15';

const soldOn = (day: string, net: number, count = 1): SoldDay => ({
  ...{ day, gross: net, count },
  parts: [{ country: 'JP', region: null, isBusiness: false, currency: 'JPY', net, count }],
  sales: { totals: [], products: [] },
});

const levelOf = (terms: Partial<SalesThreshold>, ...days: SoldDay[]) => {
  const threshold: SalesThreshold = {
    ...{ id: 'JP', limit: 1_000, currency: 'JPY', period: 'rolling', counts: 'everybody' },
    ...{ source: 'a law', confidence: 'high' },
    ...terms,
  };
  const { level, from } = thresholdStatus(threshold, () => true, { days, today, rates: undefined });
  return `${level} ${from}`;
};

describe('the period of a limit', () => {
  it.each([
    { period: 'first', limit: 0, day: '2025-01-02', level: 'passed 2025-01-01' },
    { period: 'previous_year', limit: 1_000, day: '2025-12-31', level: 'passed 2025-01-01' },
    { period: 'previous_year', limit: 1_000, day: '2026-01-01', level: 'near 2026-01-01' },
    { period: 'base_year', limit: 1_000, day: '2024-01-01', level: 'passed 2024-01-01' },
    { period: 'base_year', limit: 1_000, day: '2025-06-30', level: 'passed 2025-01-01' },
    { period: 'base_year', limit: 1_000, day: '2025-07-01', level: 'near 2025-01-01' },
    { period: 'base_year', limit: 1_000, day: '2026-08-01', level: 'near 2026-01-01' },
    { period: 'month', limit: 1_000, day: '2026-07-16', level: 'passed 2026-07-16' },
    { period: 'month', limit: 1_000, day: '2026-07-15', level: 'below 2026-07-16' },
    { period: 'three_months', limit: 1_000, day: '2026-05-16', level: 'passed 2026-05-16' },
  ] as const)('$period: sales of $day give “$level”', ({ period, limit, day, level }) => {
    expect(levelOf({ period, limit }, soldOn(day, 1_000))).toBe(level);
  });

  it('may have an alternative: a smaller amount in fewer days is enough', () => {
    const alternatives = [{ limit: 250, period: 'three_months' as const }];
    expect(levelOf({ alternatives }, soldOn('2026-08-01', 250))).toBe('passed 2026-05-16');
    expect(levelOf({ alternatives }, soldOn('2026-02-01', 250))).toBe('below 2025-08-16');
    expect(levelOf({ alternatives }, soldOn('2026-02-01', 1_000))).toBe('passed 2025-08-16');
  });

  it('is that of the first sale without an exchange rate for it', () => {
    const [day] = [soldOn('2026-08-01', 500)].map((sold) => ({
      ...sold,
      parts: sold.parts.map((part) => ({ ...part, currency: 'EUR' })),
    }));
    expect(levelOf({ period: 'first', limit: 0 }, day as SoldDay)).toBe('passed 2025-01-01');
  });

  it('needs the year two years back only where it decides and something is sold', () => {
    expect([firstNeededDay(today), firstNeededDay(today, true)]).toEqual(['2025-01-01', '2024-01-01']);
    const isJapan = ({ country }: { country: string }) => country === 'JP';
    expect(needsBaseYear({ period: 'base_year' }, isJapan, [soldOn('2026-01-01', 1)])).toBe(true);
    expect(needsBaseYear({ period: 'base_year' }, () => false, [soldOn('2026-01-01', 1)])).toBe(false);
    expect(needsBaseYear({ period: 'rolling' }, isJapan, [soldOn('2026-01-01', 1)])).toBe(false);
  });
});
