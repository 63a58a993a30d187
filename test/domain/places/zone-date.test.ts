import { describe, expect, it } from 'vitest';
import { isTimeZone, startOfDayIn } from '../../../shared/domain/places/zone-date.ts';

describe('the first instant of a day in a time zone', () => {
  it.each([
    ['UTC', '2026-03-03', '2026-03-03T00:00:00.000Z'],
    ['Europe/Berlin', '2026-03-03', '2026-03-02T23:00:00.000Z'],
    ['Europe/Berlin', '2026-07-03', '2026-07-02T22:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-03', '2026-03-02T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-03-03', '2026-03-02T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-03-03', '2026-03-03T11:00:00.000Z'],
    // the day begins at 01:00, because the clocks go forward at midnight
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ])('in %s, %s begins at %s', (zone, day, start) => {
    expect(startOfDayIn(zone, day).toISOString()).toBe(start);
  });

  it('exists only for time zones of the IANA database', () => {
    expect(['Europe/Berlin', 'Europe/Atlantis', ''].map(isTimeZone)).toEqual([true, false, false]);
  });
});
