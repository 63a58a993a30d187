import type { Place } from '../domain/tax.ts';
import { locatePlace } from './resolve-place.ts';
import { timeZoneOf } from './time-zones.ts';

const calendars = new Map<string, Intl.DateTimeFormat>();

/** The date that the place's calendar shows at an instant, `YYYY-MM-DD`: what decides which rate holds. */
export function localDate(place: Place, instant: Date | string): string {
  const { country, region } = locatePlace(place);
  const shown = calendarOf(timeZoneOf(country, region)).formatToParts(new Date(instant));
  return (['year', 'month', 'day'] as const).map((unit) => shown.find(({ type }) => type === unit)?.value).join('-');
}

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known) return known;
  const calendar = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  calendars.set(timeZone, calendar);
  return calendar;
}
