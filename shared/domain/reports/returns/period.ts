import { dayMs } from '../../duration.ts';

/** The first and last day of a period, both included. */
export interface DayPeriod {
  from: string;
  to: string;
}

/** The quarter of a day: `2026-03-15` → `2026-Q1`. */
export const quarterOfDay = (day: string): string => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;

/** The days of a quarter. */
export function daysOfQuarter(quarter: string): DayPeriod {
  const [year = 0, number = 1] = quarter.split('-Q').map(Number);
  const dayAt = (month: number, day: number) => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
  return { from: dayAt(3 * (number - 1), 1), to: dayAt(3 * number, 0) };
}

/** The quarter that equals a period; undefined if the period is not a whole quarter. */
export function wholeQuarter({ from, to }: DayPeriod): string | undefined {
  const quarter = quarterOfDay(from);
  const days = daysOfQuarter(quarter);
  return days.from === from && days.to === to ? quarter : undefined;
}

/** The month of a day: `2026-03-15` → `2026-03`. */
export const monthOfDay = (day: string): string => day.slice(0, 7);

/** Whether a period equals a month. */
export const isWholeMonth = ({ from, to }: DayPeriod): boolean =>
  from.endsWith('-01') &&
  to === new Date(Date.UTC(Number(from.slice(0, 4)), Number(from.slice(5, 7)), 0)).toISOString().slice(0, 10);

/** When the return of a quarter is due: at the end of the month after the quarter. */
export function dueDateOf(quarter: string): string {
  const after = new Date(Date.parse(daysOfQuarter(quarter).to) + dayMs);
  return new Date(Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
}

/** The same day some years later. */
export const yearsAfter = (day: string, years: number): string => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;
