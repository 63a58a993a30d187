import { dayMs } from '../../domain/duration.ts';
import { sum } from '../../domain/money/money.ts';
import type { PaymentBrief } from '../../domain/payments/payment-row.ts';
import type { RefundBrief } from '../../domain/payments/refund.ts';
import {
  firstNeededDay,
  isCountedDay,
  needsBaseYear,
  risen,
  type SalesThreshold,
  type SoldDay,
  soldDay,
  type ThresholdStatus,
  type ThresholdWatch,
  thresholdStatus,
} from '../../domain/reports/thresholds.ts';
import { recordThresholdEvent } from '../../events/catalogue.ts';
import type { ExchangeRateStore } from '../../store/exchange-rate-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { TaxRulesStore } from '../../store/tax-rules-store.ts';
import type { ThresholdStore } from '../../store/threshold-store.ts';
import type { TaxRules } from '../../tax/rules/tax-rules.ts';
import { isRegisteredFor, thresholdIncludes, thresholdsOf } from '../../tax/thresholds.ts';
import { endOfDay, pagesOf, startOfDay } from '../exports/load-movements.ts';
import { readAll } from './export-payments.ts';

export interface WatchThresholdsDeps {
  payments: Pick<PaymentLists, 'listBriefly' | 'listRefundsBriefly'> & Pick<PaymentStore, 'get'>;
  thresholds: ThresholdStore;
  taxRules: Pick<TaxRulesStore, 'get' | 'keepHomeRates'>;
  rates: Pick<ExchangeRateStore, 'newestBefore'>;
  merchantCountry: string;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** How many days a payment may take to end. For this number of days, sales are counted again. */
const openDays = 10;

const dayBefore = (day: string): string => new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);

/**
 * Counts the sales of each place, day by day, and compares them with the limits. If sales reach 80 % of a limit, or
 * exceed it, an event is sent. Checkouts do not depend on this count.
 */
export async function watchThresholds(deps: WatchThresholdsDeps, hasTime: () => boolean): Promise<ThresholdStatus[]> {
  const now = deps.now();
  const today = now.toISOString().slice(0, 10);
  const watch = await deps.thresholds.getWatch();
  const rules = await deps.taxRules.get();
  const watched = watchedBy(deps, rules);
  const { known, first } = await loadDays(deps, watched, today);
  const { countedFrom, isCurrent } = await countDays(deps, { watch, today, first, known, hasTime });
  const statuses = await statusesOf(deps, { rules, watched, today, days: [...known.values()] });
  const events = risen(watch.statuses, statuses).map((status) =>
    recordThresholdEvent(status, { id: deps.newId('evt'), now: now.toISOString() }),
  );
  const checkedAt = isCurrent ? now.toISOString() : watch.checkedAt;
  await deps.thresholds.saveWatch({ ...watch, countedFrom, checkedAt, statuses }, events);
  return statuses;
}

interface Watched {
  threshold: SalesThreshold;
  includes: ReturnType<typeof thresholdIncludes>;
}

/** The limits of places where the merchant is not registered. */
const watchedBy = (
  { merchantCountry }: Pick<WatchThresholdsDeps, 'merchantCountry'>,
  { registrations }: Pick<TaxRules, 'registrations'>,
): Watched[] =>
  thresholdsOf(merchantCountry)
    .filter(({ id }) => !isRegisteredFor(id, registrations))
    .map((threshold) => ({ threshold, includes: thresholdIncludes(threshold.id, merchantCountry) }));

/**
 * Reads the counted days. The year two years back is read only if the merchant sells to a place where that year
 * decides.
 */
async function loadDays({ thresholds }: WatchThresholdsDeps, watched: readonly Watched[], today: string) {
  const recent = firstNeededDay(today);
  const known = await thresholds.daysOf({ from: recent, to: today });
  const hasBaseYear = watched.some(({ threshold, includes }) => needsBaseYear(threshold, includes, known));
  const first = firstNeededDay(today, hasBaseYear);
  const older = hasBaseYear ? await thresholds.daysOf({ from: first, to: dayBefore(recent) }) : [];
  return { known: new Map([...known, ...older].map((day) => [day.day, day])), first };
}

interface Counting {
  watch: ThresholdWatch;
  today: string;
  first: string;
  known: Map<string, SoldDay>;
  hasTime: () => boolean;
}

/** Counts the newest days again. If there is time, it also counts earlier days that were never counted. */
async function countDays(deps: WatchThresholdsDeps, { watch, today, first, known, hasTime }: Counting) {
  const lastSeen = watch.checkedAt?.slice(0, 10) ?? today;
  const openFrom = new Date(Date.parse(lastSeen) - openDays * dayMs).toISOString().slice(0, 10);
  let countedFrom = watch.countedFrom;
  let isCurrent = false;
  for (let day = today; day >= first && hasTime(); day = dayBefore(day)) {
    isCurrent ||= day <= openFrom;
    const isCounted = day < openFrom && isCountedDay(day, countedFrom);
    if (!isCounted) await countDay(deps, day, known);
    if (countedFrom === null || day < countedFrom) countedFrom = day;
  }
  return { countedFrom, isCurrent };
}

/** Counts a day. It reads the payments only if the lists show other sales or refunds than at the last count. */
async function countDay({ payments, thresholds }: WatchThresholdsDeps, day: string, known: Map<string, SoldDay>) {
  const window = { createdFrom: startOfDay(day), createdTo: endOfDay(day) };
  const [sold, refunds] = await Promise.all([
    rowsOf((page) => payments.listBriefly(window, page)),
    rowsOf((page) => payments.listRefundsBriefly(window, page)),
  ]);
  if (isSameDay(known.get(day), sold, refunds)) return;
  const counted = soldDay(day, await readAll(sold, ({ id }) => payments.get(id)), refunds);
  await thresholds.saveDay(counted);
  known.set(day, counted);
}

/** The rows of a list whose payment or refund has succeeded. */
async function rowsOf<Row extends { status: string }>(list: Parameters<typeof pagesOf<Row>>[0]): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of pagesOf(list)) found.push(...rows.filter(({ status }) => status === 'succeeded'));
  return found;
}

function isSameDay(
  before: SoldDay | undefined,
  sold: readonly PaymentBrief[],
  refunds: readonly RefundBrief[],
): boolean {
  if (!before) return sold.length + refunds.length === 0;
  const refunded = before.sales && sum(before.sales.totals.map((total) => total.refunded));
  return (
    before.count === sold.length &&
    before.gross === sum(sold.map(({ gross }) => gross)) &&
    refunded === sum(refunds.map(({ amount }) => amount))
  );
}

interface Checking {
  rules: Pick<TaxRules, 'smallSeller'>;
  watched: readonly Watched[];
  today: string;
  days: readonly SoldDay[];
}

/** How much of each limit is used, where there are sales. */
async function statusesOf(
  { taxRules, rates }: WatchThresholdsDeps,
  { rules, watched, today, days }: Checking,
): Promise<ThresholdStatus[]> {
  const tomorrow = new Date(Date.parse(today) + dayMs).toISOString().slice(0, 10);
  const newest = await rates.newestBefore(tomorrow);
  if (rules.smallSeller && newest) await taxRules.keepHomeRates(newest);
  return watched
    .map(({ threshold, includes }) => thresholdStatus(threshold, includes, { days, today, rates: newest }))
    .filter(({ count }) => count > 0);
}
