import { dayMs } from '../duration.ts';
import type { DayPeriod } from './returns/period.ts';

export const periodNames = ['today', '7', '30', '90', 'year', 'custom'] as const;
export type PeriodName = (typeof periodNames)[number];

export interface OverviewPeriod extends DayPeriod {
  name: PeriodName;
  /** The previous period with the same number of days. For a year, it is the same days of the year before. */
  before: DayPeriod;
}

const mostDays = 366;

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

export const countDays = ({ from, to }: DayPeriod): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

/** Each day of a period, oldest first. */
export const daysOf = (days: DayPeriod): string[] =>
  Array.from({ length: countDays(days) }, (_, index) => shifted(days.from, index));

const withBefore = (name: PeriodName, { from, to }: DayPeriod): OverviewPeriod => {
  const to_ = shifted(from, -1);
  return { name, from, to, before: { from: shifted(to_, 1 - countDays({ from, to })), to: to_ } };
};

const thisYear = (today: string): OverviewPeriod => {
  const year = Number(today.slice(0, 4));
  const sameDay = today.endsWith('-02-29') ? '02-28' : today.slice(5);
  return {
    name: 'year',
    from: `${year}-01-01`,
    to: today,
    before: { from: `${year - 1}-01-01`, to: `${year - 1}-${sameDay}` },
  };
};

/** A period that ends today. */
export function periodUntil(today: string, name: Exclude<PeriodName, 'custom'>): OverviewPeriod {
  if (name === 'year') return thisYear(today);
  const count = name === 'today' ? 1 : Number(name);
  return withBefore(name, { from: shifted(today, 1 - count), to: today });
}

/** A period of chosen days; undefined if it has no days, too many, or days in the future. */
export const customPeriod = (today: string, { from, to }: DayPeriod): OverviewPeriod | undefined =>
  from <= to && to <= today && countDays({ from, to }) <= mostDays ? withBefore('custom', { from, to }) : undefined;
