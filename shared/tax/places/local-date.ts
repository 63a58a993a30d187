import type { Place } from '../../domain/checkout/tax.ts';
import { hourMs } from '../../domain/duration.ts';
import { locatePlace } from './resolve-place.ts';
import { hoursAheadOf, timeZoneOf } from './time-zones.ts';

/** The local date of a place at an instant, `YYYY-MM-DD`. It decides which rate applies. */
export function localDate(place: Place, instant: Date | string): string {
  const { country, region } = locatePlace(place);
  return dateIn(timeZoneOf(country, region), new Date(instant));
}

/**
 * The date in a time zone. Uses the zone's calendar only if the zone could have two dates at this instant, because
 * the first calendar of a process takes longer than all other work on a sale.
 */
function dateIn(timeZone: string, instant: Date): string {
  const [earliest, latest] = hoursAheadOf(timeZone).map((hours) => dateAhead(instant, hours));
  if (earliest !== undefined && earliest === latest) return earliest;
  const shown = calendarOf(timeZone).formatToParts(instant);
  return (['year', 'month', 'day'] as const).map((unit) => shown.find(({ type }) => type === unit)?.value).join('-');
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
