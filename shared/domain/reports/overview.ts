import { dayMs } from '../duration.ts';
import { sum } from '../money/money.ts';
import type { Payment } from '../payments/payment.ts';

/** The figures of one day. `net + tax` is what buyers paid. */
export interface DayFigures {
  /** `2026-03-01`, UTC. */
  date: string;
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
  currency: string;
  days: readonly DayFigures[];
  count: number;
  gross: number;
  tax: number;
  refunded: number;
  /** What the processor kept, as far as it is known and in this currency. */
  fees: number;
  /** The number of payments without a known fee in this currency. */
  feesUnknown: number;
  /** The amounts that buyers chose for one unit, for products with a chosen price. */
  chosen: readonly number[];
}

interface Wanted {
  /** The days, `2026-03-01`, the oldest first. */
  days: readonly string[];
  currency: string;
  /** Products whose price the buyer chooses. */
  openlyPriced: ReadonlySet<string>;
}

/** The figures of payments that succeeded. */
export function overviewOf(payments: readonly Payment[], { days, currency, openlyPriced }: Wanted): Overview {
  const sold = payments.filter((payment) => payment.currency === currency && payment.status === 'succeeded');
  const byDay = Map.groupBy(sold, ({ createdAt }) => createdAt.slice(0, 10));
  return {
    currency,
    days: days.map((date) => figuresOf(date, byDay.get(date) ?? [])),
    count: sold.length,
    gross: sum(sold.map(({ gross }) => gross)),
    tax: sum(sold.map(({ tax }) => tax)),
    refunded: sum(sold.map(({ refunded }) => refunded)),
    fees: sum(sold.map(({ fee }) => (fee?.currency === currency ? fee.amount : 0))),
    feesUnknown: sold.filter(({ fee }) => fee?.currency !== currency).length,
    chosen: sold.flatMap(({ lines }) =>
      lines.filter(({ productId }) => openlyPriced.has(productId)).map(({ unitAmount }) => unitAmount),
    ),
  };
}

const figuresOf = (date: string, payments: readonly Payment[]): DayFigures => ({
  date,
  net: sum(payments.map(({ net }) => net)),
  tax: sum(payments.map(({ tax }) => tax)),
});

/** The currencies of some payments, the most frequent first. */
export function currenciesOf(payments: readonly Pick<Payment, 'currency'>[]): string[] {
  const groups = Map.groupBy(payments, ({ currency }) => currency);
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([currency]) => currency);
}

/** The smallest of 1, 2 or 5 times a power of ten with which `steps` steps cover `length`. */
export function niceStep(length: number, steps: number): number {
  const least = Math.max(1, Math.ceil(length / steps));
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

/**
 * Groups amounts into bands of one round width, from the lowest to the highest. Every amount is in exactly one
 * band.
 */
export function amountBands(amounts: readonly number[], most: number): AmountBand[] {
  if (amounts.length === 0) return [];
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  const step = niceStep(high - low + 1, most - 1);
  const start = Math.floor(low / step) * step;
  const bands = Math.floor((high - start) / step) + 1;
  return Array.from({ length: bands }, (_, index) => {
    const from = start + index * step;
    return { from, to: from + step - 1, count: amounts.filter((a) => a >= from && a < from + step).length };
  });
}

/** The last days up to an instant, including its own day. */
export const lastDays = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
