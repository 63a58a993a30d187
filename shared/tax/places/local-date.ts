import type { Place } from '../../domain/checkout/tax.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { timeZoneOf } from '../../domain/places/time-zones.ts';
import { dateIn } from '../../domain/places/zone-date.ts';
import { locatePlace } from './resolve-place.ts';

/** The local date of a place at an instant, `YYYY-MM-DD`. It decides which rate applies. */
export function localDate(place: Place, instant: Date | string): string {
  const { country, region } = locatePlace(place);
  return dateIn(timeZoneOf(country, region), new Date(instant));
}

/**
 * The local date at which money of a sale goes back or comes again: in the country that taxes the sale. For a small
 * seller's sale that is taxed at home, it is the seller's country, as for the sale's own date.
 */
export function returnDate({ calculation, lines }: Pick<Payment, 'calculation' | 'lines'>, at: string): string {
  const { country, region, postalCode } = calculation;
  const home = lines.find(({ taxedIn }) => taxedIn !== undefined)?.taxedIn;
  const place = { country, region: region ?? undefined, postalCode: postalCode ?? undefined };
  return localDate(home === undefined ? place : { country: home }, at);
}
