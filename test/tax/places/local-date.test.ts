import { describe, expect, it, vi } from 'vitest';
import { timeZoneOf } from '../../../shared/domain/places/time-zones.ts';
import { countries } from '../../../shared/tax/places/countries.ts';
import { localDate } from '../../../shared/tax/places/local-date.ts';
import { regionsOf } from '../../../shared/tax/places/regions.ts';
import { rateRows } from '../../../shared/tax/rates/rate-table.ts';
import { times } from '../../support/seeded.ts';

describe('the local date of a place', () => {
  it.each([
    ['RO', '2025-07-31T20:59:59Z', '2025-07-31'], // UTC+3 in summer: midnight is at 21:00 UTC
    ['RO', '2025-07-31T21:00:00Z', '2025-08-01'],
    ['FI', '2025-12-31T21:59:59Z', '2025-12-31'], // UTC+2 in winter: midnight is at 22:00 UTC
    ['FI', '2025-12-31T22:00:00Z', '2026-01-01'],
    ['JP', '2025-12-31T15:00:00Z', '2026-01-01'],
    ['GB', '2025-12-31T23:59:59Z', '2025-12-31'],
    ['GB', '2025-07-31T23:30:00Z', '2025-08-01'], // summer time
  ])('in %s at %s is the day %s', (country, instant, date) => {
    expect(localDate({ country }, instant)).toBe(date);
    expect(localDate({ country }, new Date(instant))).toBe(date);
  });

  it.each([
    ['US', 'NY', '2026-01-01'],
    ['US', 'CA', '2025-12-31'],
    ['US', 'HI', '2025-12-31'],
    ['CA', 'NL', '2026-01-01'],
    ['CA', 'BC', '2025-12-31'],
  ])('is the date in the capital of the region: %s-%s at 05:00 UTC on New Year is %s', (country, region, date) => {
    expect(localDate({ country, region }, '2026-01-01T05:00:00Z')).toBe(date);
  });

  it.each([
    [{ country: 'PT' }, '2026-01-01'],
    [{ country: 'PT', postalCode: '9500' }, '2025-12-31'], // the Azores are an hour behind
    [{ country: 'RE' }, '2026-01-01'],
    [{ country: 'US' }, '2025-12-31'], // no region yet: the capital's
  ])('is known for territories, and without a region: %o', (place, date) => {
    expect(localDate(place, '2026-01-01T00:30:00Z')).toBe(date);
  });

  it('equals the calendar of its time zone, at every hour of days in all seasons and years', () => {
    const regional = ['US', 'CA'].flatMap((country) =>
      regionsOf(country).map(({ code }) => ({ country, region: code })),
    );
    const places = [...countries.map((country) => ({ country, region: undefined })), ...regional];
    const days = times(8).map((index) => Date.UTC(2000, 55 * index, 1 + ((13 * index) % 28))); // to 2032
    const instants = days.flatMap((day) => times(48).map((half) => new Date(day + half * 1_800_000)));
    const wrong = places.flatMap(({ country, region }) => {
      const timeZone = timeZoneOf(country, region);
      const calendar = new Intl.DateTimeFormat('sv', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
      return instants.filter((instant) => localDate({ country, region }, instant) !== calendar.format(instant));
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['the same date in all of Europe', '2026-03-01T12:00:00Z', 0],
    ['midnight in summer, and an hour before it in winter', '2026-03-01T22:30:00Z', 1],
    ['midnight in some of Europe, and past it in Berlin in summer and winter', '2026-03-01T23:30:00Z', 0],
    ['an hour before midnight in Berlin in summer', '2026-07-01T21:30:00Z', 0],
  ])('uses a calendar only when the date is in doubt: %s', async (_, instant, calendars) => {
    // under a query, it is another module, which has asked for nothing yet
    const fresh = await import(`${import.meta.dirname}/../../../shared/domain/places/zone-date.ts?at=${instant}`);
    const asked = vi.spyOn(Intl, 'DateTimeFormat');
    fresh.dateIn('Europe/Berlin', new Date(instant));
    expect(asked).toHaveBeenCalledTimes(calendars);
    asked.mockRestore();
  });

  it('is refused for an invalid instant', () => {
    expect(() => localDate({ country: 'DE' }, 'tomorrow')).toThrow(RangeError);
  });

  it('is known for every country, region and place of the rate table', () => {
    const regional = ['US', 'CA'].flatMap((country) => regionsOf(country).map(({ code }) => [country, code] as const));
    const listed = rateRows().map(({ country, region }) => [country, region] as const);
    for (const [country, region] of [...countries.map((code) => [code, undefined] as const), ...regional, ...listed]) {
      const timeZone = timeZoneOf(country, region);
      expect(timeZone, country).not.toBe('UTC');
      expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
    }
  });
});
