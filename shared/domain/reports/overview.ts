import { sum } from '../money/money.ts';
import { countDays, daysOf } from './period.ts';
import type { DayPeriod } from './returns/period.ts';
import { addSales, noTotals, type ProductSales, type Sales, type SalesTotals } from './sales.ts';
import type { SoldPart } from './thresholds.ts';

/** The sales of a day; undefined if they are unknown. */
export type SalesByDay = (day: string) => Sales | undefined;

/** The figures of a bar in a chart. `net + tax` is the amount that buyers paid. */
export interface SpanFigures extends DayPeriod {
  net: number;
  tax: number;
}

/** How often buyers chose an amount between `from` and `to`, both included. */
interface AmountBand {
  from: number;
  to: number;
  count: number;
}

/** A merchant's sales over some days, in one currency. */
export interface Overview {
  totals: SalesTotals;
  /** The totals of the previous period; null if the sales of one of its days are unknown. */
  before: SalesTotals | null;
  /** The days, weeks or months of the period, oldest first. */
  spans: readonly SpanFigures[];
  /** The products, with the highest sales first. */
  products: readonly ComparedProduct[];
}

/** The sales of a product, beside what buyers paid for it in the previous period; null if that is unknown. */
interface ComparedProduct extends ProductSales {
  before: number | null;
}

/** The figures of some days in one currency. An unknown day counts as one without sales. */
export function overviewOf(
  byDay: SalesByDay,
  currency: string,
  { from, to, before }: DayPeriod & { before: DayPeriod },
) {
  const { totals, products } = salesIn(byDay, { from, to });
  const isKnown = daysOf(before).every((day) => byDay(day) !== undefined);
  const earlier = isKnown ? salesIn(byDay, before) : undefined;
  const paidBefore = (id: string) =>
    earlier
      ? sum(earlier.products.filter((one) => one.id === id && one.currency === currency).map(({ gross }) => gross))
      : null;
  return {
    totals: totalsIn(totals, currency),
    before: earlier ? totalsIn(earlier.totals, currency) : null,
    spans: spansOf({ from, to }).map((span) => {
      const { net, tax } = totalsIn(salesIn(byDay, span).totals, currency);
      return { ...span, net, tax };
    }),
    products: products
      .filter((product) => product.currency === currency)
      .map((product) => ({ ...product, before: paidBefore(product.id) }))
      .sort((a, b) => b.gross - a.gross),
  } satisfies Overview;
}

/** The sales of a period in one country, without tax and before refunds. */
export interface CountrySales {
  country: string;
  currency: string;
  payments: number;
  net: number;
  /** Those of the previous period; null if they are unknown. */
  before: number | null;
}

/** The sales by country in one currency, highest first, beside those of the previous period. */
export function salesByCountry(
  parts: readonly SoldPart[],
  before: readonly SoldPart[] | null,
  currency: string,
): CountrySales[] {
  const inCurrency = (all: readonly SoldPart[]) =>
    Map.groupBy(
      all.filter((part) => part.currency === currency),
      ({ country }) => country,
    );
  const earlier = before && inCurrency(before);
  return [...inCurrency(parts)]
    .map(([country, those]) => ({
      country,
      currency,
      payments: sum(those.map(({ count }) => count)),
      net: sum(those.map(({ net }) => net)),
      before: earlier && sum((earlier.get(country) ?? []).map(({ net }) => net)),
    }))
    .sort((a, b) => b.net - a.net);
}

/** Adds up the sales of days, newest first, so each product has its current name. */
export const salesIn = (byDay: SalesByDay, days: DayPeriod): Sales =>
  addSales(
    daysOf(days)
      .reverse()
      .flatMap((day) => byDay(day) ?? []),
  );

const totalsIn = (totals: readonly SalesTotals[], currency: string): SalesTotals =>
  totals.find((one) => one.currency === currency) ?? noTotals(currency);

const mostDays = 45;
const mostWeeks = 26;

/** Divides a period into the bars of a narrow chart: days, months, or weeks counted back from the last day. */
export function spansOf(period: DayPeriod): DayPeriod[] {
  const days = daysOf(period);
  if (days.length <= mostDays) return days.map((day) => ({ from: day, to: day }));
  if (days.length <= mostWeeks * 7) return weeksOf(days);
  return [...Map.groupBy(days, (day) => day.slice(0, 7)).values()].map(ends);
}

const ends = (days: readonly string[]): DayPeriod => ({ from: days[0] as string, to: days.at(-1) as string });

function weeksOf(days: readonly string[]): DayPeriod[] {
  const first = days.length % 7 || 7;
  const starts = Array.from({ length: Math.ceil(days.length / 7) }, (_, index) =>
    index === 0 ? 0 : first + 7 * (index - 1),
  );
  return starts.map((start, index) => ends(days.slice(start, starts[index + 1])));
}

/** The length of a span: a bar of the chart shows a day, a week or a month. */
export const spanKind = (period: DayPeriod): 'day' | 'week' | 'month' => {
  const count = countDays(period);
  if (count <= mostDays) return 'day';
  return count <= mostWeeks * 7 ? 'week' : 'month';
};

/** The currencies in which something was sold, most frequent first. */
export const currenciesOf = ({ totals }: Sales): string[] =>
  totals
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ currency }) => currency);

/** The amounts that buyers chose to pay for one unit of a product. */
export interface ChosenAmounts {
  units: number;
  average: number;
  /** Half of the units cost at least this. */
  median: number;
  atMinimum: number;
}

/** Summarizes the amounts that buyers chose. Amounts below the minimum come from a time when it was lower. */
export function chosenAmounts({ amounts }: ProductSales, minimum: number): ChosenAmounts {
  const units = sum(amounts.map(([, count]) => count));
  const total = sum(amounts.map(([amount, count]) => amount * count));
  let passed = 0;
  const median = amounts.find(([, count]) => {
    passed += count;
    return passed * 2 >= units;
  });
  return {
    units,
    average: units === 0 ? 0 : Math.round(total / units),
    median: median?.[0] ?? 0,
    atMinimum: sum(amounts.filter(([amount]) => amount <= minimum).map(([, count]) => count)),
  };
}

/** The smallest of 1, 2 or 5 times a power of ten with which `steps` steps cover `length`. */
export function niceStep(length: number, steps: number): number {
  const least = Math.max(1, Math.ceil(length / steps));
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

/**
 * Groups amounts into at most `most` bands of the same round width, from the lowest to the highest. Every amount is in
 * exactly one band.
 */
export function amountBands(amounts: ProductSales['amounts'], most: number): AmountBand[] {
  if (amounts.length === 0) return [];
  const values = amounts.map(([amount]) => amount);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = niceStep(high - low + 1, most - 1);
  const start = Math.floor(low / step) * step;
  const bands = Math.floor((high - start) / step) + 1;
  return Array.from({ length: bands }, (_, index) => {
    const from = start + index * step;
    const within = amounts.filter(([amount]) => amount >= from && amount < from + step);
    return { from, to: from + step - 1, count: sum(within.map(([, count]) => count)) };
  });
}
