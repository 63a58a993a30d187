import { describe, expect, it } from 'vitest';
import type { ItemPage } from '../../shared/domain/list-page.ts';
import type { DisputeRow } from '../../shared/domain/payments/dispute.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import type { PaymentBrief } from '../../shared/domain/payments/payment-row.ts';
import { overviewOf } from '../../shared/domain/reports/overview.ts';
import { periodUntil } from '../../shared/domain/reports/period.ts';
import { keptOf } from '../../shared/domain/reports/sales.ts';
import { noThresholdWatch, type SoldDay, soldDay } from '../../shared/domain/reports/thresholds.ts';
import { loadSales } from '../../shared/use-cases/reports/load-sales.ts';
import { aPayment } from '../support/shop/payments.ts';

const today = '2026-03-31';
const period = periodUntil(today, '30');

const soldAt = (day: string, index = 0): Payment => ({
  ...aPayment([{ unitAmount: 1_190 }]),
  id: `pay_${day}_${index}`,
  createdAt: `${day}T12:00:00.000Z`,
});

interface Ledger {
  disputes?: readonly DisputeRow[];
  payments?: readonly Payment[];
  rows?: readonly SoldDay[];
}

/** Stores that hold these payments and counted days; notes which payments were read. */
function storesOf({ payments = [], rows = [], disputes = [] }: Ledger) {
  const read: string[] = [];
  const newestFirst = payments.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  const listBriefly = async (
    { createdFrom = '', createdTo = '~' }: { createdFrom?: string | undefined; createdTo?: string | undefined },
    { size, after }: { size: number; after: string | undefined },
  ): Promise<ItemPage<PaymentBrief>> => {
    const within = newestFirst.filter(({ createdAt }) => createdAt >= createdFrom && createdAt <= createdTo);
    const start = after === undefined ? 0 : Number(after);
    const items = within.slice(start, start + size).map((payment) => ({
      ...payment,
      productIds: [],
      taxDate: payment.calculation.taxDate,
    }));
    return { items, hasMore: within.length > start + size, last: String(start + size) };
  };
  const deps = {
    payments: {
      listBriefly,
      listRefundsBriefly: async () => ({ items: [], hasMore: false, last: undefined }),
      get: async (id: string) => {
        read.push(id);
        return payments.find((payment) => payment.id === id) as Payment;
      },
    },
    disputes: {
      list: async ({ createdFrom = '', createdTo = '~', matches = () => true }: DisputeFilter) => ({
        items: disputes.filter((row) => row.createdAt >= createdFrom && row.createdAt <= createdTo && matches(row)),
        hasMore: false,
        last: undefined,
      }),
      get: async (id: string) => {
        throw new Error(`${id} is read although its row says what it holds.`);
      },
    },
    thresholds: {
      daysOf: async ({ from, to }: { from: string; to: string }) => rows.filter(({ day }) => day >= from && day <= to),
    },
  };
  return { deps, read };
}

interface DisputeFilter {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  matches?: ((row: DisputeRow) => boolean) | undefined;
}

const disputeOf = (day: string, status: DisputeRow['status'], disputed = 1_190): DisputeRow => ({
  ...{ id: `dsp_${day}`, paymentId: 'pay_1', processor: 'sandbox', status, stage: 'dispute', currency: 'EUR' },
  ...{ amount: 1_190, disputed, isRefundable: false, dueBy: null, url: null, createdAt: `${day}T12:00:00.000Z` },
});

const counted = (checkedAt: string) => ({ ...noThresholdWatch, countedFrom: '2025-01-01', checkedAt });
const rowOf = (day: string, count: number) =>
  soldDay(
    day,
    Array.from({ length: count }, () => soldAt(day)),
    [],
  );

describe('the sales of a period', () => {
  it('are read from stored daily totals, and from the payments for days without a total', async () => {
    const { deps, read } = storesOf({
      payments: [soldAt('2026-03-02'), soldAt('2026-03-30'), soldAt(today)],
      rows: [rowOf('2026-02-10', 1), rowOf('2026-03-02', 3)],
    });
    const { byDay, isPartial } = await loadSales(deps, counted('2026-03-30T04:00:00.000Z'), period);
    const { totals, before } = overviewOf(byDay, 'EUR', period);
    expect({ count: totals.count, before: before?.count, isPartial }).toEqual({
      count: 5,
      before: 1,
      isPartial: false,
    });
    expect(read).toEqual([`pay_${today}_0`, 'pay_2026-03-30_0']);
  });

  it('are read from the payments when no daily total is stored, also for the previous period', async () => {
    const { deps } = storesOf({ payments: [soldAt('2026-02-10'), soldAt('2026-03-02'), soldAt(today)] });
    const { byDay } = await loadSales(deps, noThresholdWatch, period);
    const { totals, before } = overviewOf(byDay, 'EUR', period);
    expect({ count: totals.count, before: before?.count }).toEqual({ count: 2, before: 1 });
  });

  it('are read from a limited number of payments, and then show no comparison with the previous period', async () => {
    const payments = Array.from({ length: 1_500 }, (_, index) => soldAt(index < 600 ? today : '2026-03-20', index));
    const { deps, read } = storesOf({ payments });
    const { byDay, isPartial } = await loadSales(deps, noThresholdWatch, period);
    expect(read).toHaveLength(1_000);
    expect(isPartial).toBe(true);
    const { totals, before } = overviewOf(byDay, 'EUR', period);
    expect({ count: totals.count, before }).toEqual({ count: 1_000, before: null });
  });

  it('exclude lost disputes, even when the day was counted long ago', async () => {
    const disputes = [
      disputeOf('2026-02-20', 'lost', 500),
      disputeOf('2026-03-05', 'lost'),
      disputeOf('2026-03-06', 'won'),
      disputeOf('2026-03-07', 'challenged'),
      disputeOf('2026-04-01', 'lost'),
    ];
    const { deps } = storesOf({ disputes, rows: [rowOf('2026-03-02', 3)] });
    const { byDay, isPartial } = await loadSales(deps, counted(`${today}T04:00:00.000Z`), period);
    const { totals, before } = overviewOf(byDay, 'EUR', period);
    expect({ lost: totals.lost, before: before?.lost, isPartial }).toEqual({
      lost: 1_190,
      before: 500,
      isPartial: false,
    });
    // 3 × 11.90 − 11.90
    expect(keptOf(totals)).toBe(2_380);
  });
});
