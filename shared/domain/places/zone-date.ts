import { hourMs } from '../duration.ts';
import { hoursAheadOf } from './time-zones.ts';

/**
 * The date in a time zone at an instant, `YYYY-MM-DD`. It uses the zone's calendar only if two dates are possible at
 * this instant. The first calendar in a process is slower than all other work on a sale.
 */
export function dateIn(timeZone: string, instant: Date): string {
  const [earliest, latest] = hoursAheadOf(timeZone).map((hours) => dateAhead(instant, hours));
  if (earliest !== undefined && earliest === latest) return earliest;
  const shown = calendarOf(timeZone).formatToParts(instant);
  return (['year', 'month', 'day'] as const).map((unit) => shown.find(({ type }) => type === unit)?.value).join('-');
}

/** Whether a text names a time zone of the IANA database. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The first instant of a day in a time zone, for a day `YYYY-MM-DD`. */
export function startOfDayIn(timeZone: string, day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const begins = Array.from({ length: 4 * 28 }, (_, quarter) => new Date(midnight + (quarter - 56) * (hourMs / 4)));
  return begins.find((at) => dateIn(timeZone, at) === day) ?? new Date(midnight);
}

const dateAhead = (instant: Date, hours: number): string =>
  new Date(instant.getTime() + hours * hourMs).toISOString().slice(0, 10);

const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known) return known;
  const calendar = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  calendars.set(timeZone, calendar);
  return calendar;
}
