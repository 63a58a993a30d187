import type { Place } from '../../domain/checkout/tax.ts';
import { timeZoneOf } from '../../domain/places/time-zones.ts';
import { dateIn } from '../../domain/places/zone-date.ts';
import { locatePlace } from './resolve-place.ts';

/** The local date of a place at an instant, `YYYY-MM-DD`. It decides which rate applies. */
export function localDate(place: Place, instant: Date | string): string {
  const { country, region } = locatePlace(place);
  return dateIn(timeZoneOf(country, region), new Date(instant));
}
