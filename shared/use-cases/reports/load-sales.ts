import type { Payment } from '../../domain/payments/payment.ts';
import type { RefundBrief } from '../../domain/payments/refund.ts';
import type { SalesByDay } from '../../domain/reports/overview.ts';
import { daysOf, type OverviewPeriod } from '../../domain/reports/period.ts';
import type { DayPeriod } from '../../domain/reports/returns/period.ts';
import { addSales, noSales, type Sales, salesOf } from '../../domain/reports/sales.ts';
import {
  isCountedDay,
  type SoldDay,
  type SoldPart,
  soldDay,
  type ThresholdWatch,
} from '../../domain/reports/thresholds.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { ThresholdStore } from '../../store/threshold-store.ts';
import { endOfDay, startOfDay } from '../exports/load-movements.ts';
import { loadPayments } from './export-payments.ts';
import { type LoadLossesDeps, loadLosses } from './load-losses.ts';

export interface LoadSalesDeps extends LoadLossesDeps {
  payments: Pick<PaymentLists, 'listBriefly' | 'listRefundsBriefly'> & Pick<PaymentStore, 'get'>;
  thresholds: Pick<ThresholdStore, 'daysOf'>;
}

type PartsByDay = (day: string) => readonly SoldPart[];

export interface LoadedSales {
  byDay: SalesByDay;
  /** The sales of a day by place; empty if they are unknown. */
  partsOf: PartsByDay;
  /** Whether some payments of the period were left out. */
  isPartial: boolean;
}

/** The most payments that one call reads. */
export const mostLivePayments = 1_000;
const mostRefunds = { size: 998, skip: 0, after: undefined };

/**
 * The sales of a period and of the previous one, and the money lost in disputes. The losses are read separately,
 * because a bank decides long after a day was counted.
 */
export async function loadSales(
  deps: LoadSalesDeps,
  watch: ThresholdWatch,
  period: OverviewPeriod,
): Promise<LoadedSales> {
  const [sold, lost] = await Promise.all([
    loadSold(deps, watch, period),
    loadLosses(deps, { from: period.before.from, to: period.to }),
  ]);
  const byDay = (day: string) => {
    const [sales, losses] = [sold.byDay(day), lost.byDay.get(day)];
    return sales && losses ? addSales([sales, losses]) : sales;
  };
  return { byDay, partsOf: sold.partsOf, isPartial: sold.isPartial || lost.isPartial };
}

/**
 * The sales of a period and of the previous one. Counted days come from the table. Today and days that are not counted
 * yet come from the newest payments. It reads a limited number of payments.
 */
async function loadSold(deps: LoadSalesDeps, watch: ThresholdWatch, period: OverviewPeriod): Promise<LoadedSales> {
  const rows = await deps.thresholds.daysOf({ from: period.before.from, to: period.to });
  const counted = countedSales(watch, rows);
  const kept = new Map(rows.map(({ day, parts }) => [day, parts]));
  const countedParts: PartsByDay = (day) => (counted(day) === undefined ? [] : (kept.get(day) ?? []));
  const wanted = daysOf(watch.checkedAt === null ? { from: period.before.from, to: period.to } : period);
  const [from, to] = ends(wanted.filter((day) => counted(day) === undefined));
  if (from === undefined || to === undefined) return { byDay: counted, partsOf: countedParts, isPartial: false };
  const live = await loadLiveSales(deps, { from, to });
  const isLost = (day: string): boolean => counted(day) === undefined && day <= live.cutAt;
  return {
    byDay: (day) => counted(day) ?? live.byDay(day),
    partsOf: (day) => (counted(day) === undefined ? live.partsOf(day) : countedParts(day)),
    isPartial: daysOf(period).some(isLost),
  };
}

const ends = (days: readonly string[]) => [days[0], days.at(-1)] as const;

/**
 * The sales of counted days. The day of the last count and later days are left out, because they may have got more
 * sales since then.
 */
function countedSales({ countedFrom, checkedAt }: ThresholdWatch, rows: readonly SoldDay[]): SalesByDay {
  const known = new Map(rows.map((row) => [row.day, row]));
  const isSettled = (day: string) => checkedAt !== null && day < checkedAt.slice(0, 10);
  return (day) => (isSettled(day) && isCountedDay(day, countedFrom) ? (known.get(day)?.sales ?? noSales) : undefined);
}

interface LiveSales {
  byDay: SalesByDay;
  partsOf: PartsByDay;
  /** The day up to which payments are missing; empty if none are. */
  cutAt: string;
}

/**
 * The sales of some days, from their newest payments. If not all payments could be read, the oldest day is incomplete,
 * and earlier days are empty.
 */
async function loadLiveSales({ payments }: LoadSalesDeps, days: DayPeriod): Promise<LiveSales> {
  const window = { createdFrom: startOfDay(days.from), createdTo: endOfDay(days.to) };
  const matches = ({ status }: { status: string }) => status === 'succeeded';
  const [sold, returned] = await Promise.all([
    loadPayments({ payments }, { ...window, matches, most: mostLivePayments, mostSearches: 2 }),
    payments.listRefundsBriefly({ ...window, matches }, mostRefunds),
  ]);
  const cuts = [cutOf(sold.payments, sold.isPartial, days), cutOf(returned.items, returned.hasMore, days)];
  const cutAt = cuts.toSorted().at(-1) ?? '';
  const found = salesByDay(sold.payments, returned.items);
  const isWithin = (day: string) => day >= days.from && day <= days.to && day >= cutAt;
  const sellings = Map.groupBy(sold.payments, dayOf);
  return {
    byDay: (day) => (isWithin(day) ? (found.get(day) ?? noSales) : undefined),
    partsOf: (day) => (isWithin(day) ? soldDay(day, sellings.get(day) ?? [], []).parts : []),
    cutAt,
  };
}

const dayOf = ({ createdAt }: { createdAt: string }): string => createdAt.slice(0, 10);

/** The oldest day for which payments were found, if older payments were left out. */
function cutOf(found: readonly { createdAt: string }[], isPartial: boolean, { to }: DayPeriod): string {
  if (!isPartial) return '';
  const last = found.at(-1);
  return last ? dayOf(last) : to;
}

function salesByDay(payments: readonly Payment[], refunds: readonly RefundBrief[]): Map<string, Sales> {
  const [sold, returned] = [Map.groupBy(payments, dayOf), Map.groupBy(refunds, dayOf)];
  const days = new Set([...sold.keys(), ...returned.keys()]);
  return new Map([...days].map((day) => [day, salesOf(sold.get(day) ?? [], returned.get(day) ?? [])]));
}
