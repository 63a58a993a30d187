import * as z from 'zod';
import { dayMs } from '../duration.ts';
import { minorUnitDigits } from '../money/currency.ts';
import { convertAmount, convertsBetween, type DayRates } from '../money/exchange-rates.ts';
import { sum } from '../money/money.ts';
import type { Payment } from '../payments/payment.ts';
import type { RefundBrief } from '../payments/refund.ts';
import { keptSales, Sales, salesOf } from './sales.ts';

/**
 * The period of the sales that count towards a limit.
 * `years`: this calendar year, or last year. `year`: only this calendar year. `previous_year`: last year, which decides
 * about this year.
 * `rolling`, `three_months` and `month`: the twelve months, three months or one month that end today.
 * `first`: all sales, as far back as days are counted.
 * `base_year`: the year two years back, or the first half of last year. It decides about this year.
 */
type ThresholdPeriod =
  | 'years'
  | 'year'
  | 'rolling'
  | 'three_months'
  | 'month'
  | 'first'
  | 'previous_year'
  | 'base_year';

/** A sales limit above which a seller has to register for tax somewhere, with its source. */
export interface SalesThreshold {
  /** The place: `EU`, `GB` or `US-TX`. */
  id: string;
  /** The limit in whole units of the currency; 0 means from the first sale. */
  limit: number;
  currency: string;
  /** A limit on the number of sales. With `isAlternative`, either limit is enough; otherwise, both must be reached. */
  sales?: { limit: number; isAlternative: boolean };
  period: ThresholdPeriod;
  /** Other limits for other periods, in the same currency. It is enough to pass one of them. */
  alternatives?: readonly { limit: number; period: ThresholdPeriod }[];
  /** Which sales count towards it. */
  counts: 'consumers' | 'everybody' | 'worldwide';
  source: string;
  confidence: 'high' | 'medium' | 'low';
}

const SoldPart = z.object({
  country: z.string(),
  region: z.string().nullable(),
  isBusiness: z.boolean(),
  currency: z.string(),
  /** The amount without tax, before refunds are deducted. */
  net: z.int(),
  count: z.int(),
});
export type SoldPart = z.infer<typeof SoldPart>;

/** The sales of a UTC day, by place and by product. */
export const SoldDay = z.object({
  day: z.iso.date(),
  gross: z.int(),
  count: z.int(),
  parts: z.array(SoldPart),
  sales: Sales,
});
export type SoldDay = z.infer<typeof SoldDay>;

export const thresholdLevels = ['below', 'near', 'passed'] as const;

/** How much of a threshold is used. */
export const ThresholdStatus = z.object({
  id: z.string(),
  level: z.enum(thresholdLevels),
  /** The amount in minor units of the threshold's currency. */
  amount: z.int(),
  limit: z.int(),
  currency: z.string(),
  count: z.int(),
  countLimit: z.int().nullable(),
  /** The first and last day that count, both included. */
  from: z.iso.date(),
  to: z.iso.date(),
  /** Currencies without an exchange rate, whose sales are missing in the amount. */
  unconverted: z.array(z.string()),
});
export type ThresholdStatus = z.infer<typeof ThresholdStatus>;

/**
 * The state of the threshold watch: the day from which sales are counted, and the use of each threshold at the last
 * check.
 */
export const ThresholdWatch = z.object({
  countedFrom: z.iso.date().nullable(),
  checkedAt: z.string().nullable(),
  statuses: z.array(ThresholdStatus),
  version: z.int(),
});
export type ThresholdWatch = z.infer<typeof ThresholdWatch>;

export const noThresholdWatch: ThresholdWatch = { countedFrom: null, checkedAt: null, statuses: [], version: 0 };

/** The sales of a day, by place, currency and kind of buyer, and by product. */
export function soldDay(day: string, payments: readonly Payment[], refunds: readonly RefundBrief[]): SoldDay {
  const parts = new Map<string, SoldPart>();
  for (const { calculation, currency, net, lines, taxId } of payments) {
    const { country, region } = calculation;
    const isRelieved = lines.some(({ components }) => components.some(({ reason }) => reason === 'reverse_charge'));
    const isBusiness = isRelieved || taxId?.status === 'valid';
    const key = JSON.stringify([country, region, isBusiness, currency]);
    const known = parts.get(key) ?? { country, region, isBusiness, currency, net: 0, count: 0 };
    parts.set(key, { ...known, net: known.net + net, count: known.count + 1 });
  }
  const gross = sum(payments.map((payment) => payment.gross));
  const sales = keptSales(salesOf(payments, refunds));
  return { day, gross, count: payments.length, parts: [...parts.values()], sales };
}

/** Whether a day was counted. A counted day without a row had no sales. */
export const isCountedDay = (day: string, countedFrom: string | null): boolean =>
  countedFrom !== null && day >= countedFrom;

const nearShare = 0.8;

/** The level to report. It begins at 80 % of a limit. */
function levelOf({ amount, limit, count, countLimit }: ThresholdStatus, isAlternative: boolean) {
  // a limit of 0 is passed by the first sale, so no exchange rate is needed
  const amountShare = limit === 0 ? Math.min(count, 1) : amount / limit;
  const countShare = countLimit === null ? undefined : count / countLimit;
  const share = countShare === undefined ? amountShare : (isAlternative ? Math.max : Math.min)(amountShare, countShare);
  if (share >= 1) return 'passed';
  return share >= nearShare ? 'near' : 'below';
}

interface Window {
  from: string;
  to: string;
  /** Whether its sales count only for a later year. Then the reported level is at most `near`; absent if not. */
  decidesLater?: true;
}

/** The days of the periods that end today. A month and three months have the most days that they can have. */
const lastDays: Readonly<Partial<Record<ThresholdPeriod, number>>> = { rolling: 365, three_months: 92, month: 31 };

const yearOf = (year: number): Window => ({ from: `${year}-01-01`, to: `${year}-12-31` });

function windowsOf(period: ThresholdPeriod, today: string): Window[] {
  const year = Number(today.slice(0, 4));
  const thisYear: Window = { from: `${year}-01-01`, to: today };
  const days = lastDays[period];
  if (days !== undefined)
    return [{ from: new Date(Date.parse(today) - (days - 1) * dayMs).toISOString().slice(0, 10), to: today }];
  if (period === 'years') return [thisYear, yearOf(year - 1)];
  if (period === 'first') return [{ from: firstNeededDay(today), to: today }];
  if (period === 'previous_year') return [{ ...thisYear, decidesLater: true }, yearOf(year - 1)];
  return period === 'base_year' ? baseYearWindows(year, thisYear) : [thisYear];
}

const baseYearWindows = (year: number, thisYear: Window): Window[] => [
  { ...thisYear, decidesLater: true },
  { ...yearOf(year - 1), decidesLater: true },
  { from: `${year - 1}-01-01`, to: `${year - 1}-06-30` },
  yearOf(year - 2),
];

/**
 * The first day whose sales are needed to compare the limits. The year two years back is needed only for a limit with
 * `base_year`.
 */
export const firstNeededDay = (today: string, hasBaseYear = false): string =>
  `${Number(today.slice(0, 4)) - (hasBaseYear ? 2 : 1)}-01-01`;

/** Whether a limit with `base_year` has sales. Then the year two years back must be counted too. */
export const needsBaseYear = (
  { period }: Pick<SalesThreshold, 'period'>,
  includes: (part: Pick<SoldPart, 'country' | 'region'>) => boolean,
  days: Iterable<SoldDay>,
): boolean => period === 'base_year' && [...days].some(({ parts }) => parts.some(includes));

interface Sold {
  days: readonly SoldDay[];
  today: string;
  rates: DayRates | undefined;
}

/** How much of a threshold is used. If it has two periods, the one with the higher level is returned. */
export function thresholdStatus(
  threshold: SalesThreshold,
  includes: (part: Pick<SoldPart, 'country' | 'region'>) => boolean,
  sold: Sold,
): ThresholdStatus {
  const statuses = [threshold, ...(threshold.alternatives ?? [])].flatMap(({ limit, period }) =>
    windowsOf(period, sold.today).map((window) => statusIn(window, { ...threshold, limit }, includes, sold)),
  );
  const worse = (a: ThresholdStatus, b: ThresholdStatus) =>
    thresholdLevels.indexOf(b.level) > thresholdLevels.indexOf(a.level) ? b : a;
  return statuses.reduce(worse);
}

function statusIn(
  { from, to, decidesLater }: Window,
  threshold: SalesThreshold,
  includes: (part: Pick<SoldPart, 'country' | 'region'>) => boolean,
  { days, rates }: Sold,
): ThresholdStatus {
  const { id, currency, counts, sales } = threshold;
  const parts = days.filter(({ day }) => from <= day && day <= to).flatMap((day) => day.parts);
  const here = parts.filter((part) => includes(part) && (counts !== 'consumers' || !part.isBusiness));
  const counted = counts === 'worldwide' && here.length > 0 ? parts : here;
  const { amount, unconverted } = amountIn(currency, counted, rates);
  const status: ThresholdStatus = {
    id,
    level: 'below',
    amount,
    limit: threshold.limit * 10 ** minorUnitDigits(currency),
    currency,
    count: sum(counted.map(({ count }) => count)),
    countLimit: sales?.limit ?? null,
    from,
    to,
    unconverted,
  };
  const level = levelOf(status, sales?.isAlternative ?? true);
  return { ...status, level: decidesLater && level === 'passed' ? 'near' : level };
}

function amountIn(to: string, parts: readonly SoldPart[], rates: DayRates | undefined) {
  const sums = new Map<string, number>();
  for (const { currency, net } of parts) sums.set(currency, (sums.get(currency) ?? 0) + net);
  const inCurrency = (from: string, net: number): number | undefined => {
    if (from === to) return net;
    return rates && convertsBetween(rates, { from, to }) ? convertAmount(net, rates, { from, to }) : undefined;
  };
  const converted = [...sums].map(([from, net]) => ({ from, amount: inCurrency(from, net) }));
  return {
    amount: sum(converted.map(({ amount = 0 }) => amount)),
    unconverted: converted.filter(({ amount }) => amount === undefined).map(({ from }) => from),
  };
}

/** The thresholds that have reached a higher level since the last check. */
export const risen = (before: readonly ThresholdStatus[], after: readonly ThresholdStatus[]): ThresholdStatus[] => {
  const levels = new Map(before.map(({ id, level }) => [id, thresholdLevels.indexOf(level)]));
  return after.filter(({ id, level }) => thresholdLevels.indexOf(level) > (levels.get(id) ?? 0));
};
