import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasRightOfWithdrawal } from '../../../shared/domain/withdrawal/consumer-area.ts';
import { timelinessOf, withdrawalPeriod } from '../../../shared/domain/withdrawal/period.ts';
import { dayAfter, workingDayFrom } from '../../../shared/domain/withdrawal/working-days.ts';

/** Computed by `periods.py`, with zoneinfo, dateutil and the package `holidays`. */
const table: { holidays: Record<string, string>; periods: string[] } = JSON.parse(
  readFileSync(new URL('periods.json', import.meta.url), 'utf8'),
);

const rows = table.periods.map((line) => {
  const [country = '', concludedAt = '', told = '', firstDay, lastDay, endsAt, graceEndsAt, why] = line.split(' ');
  const facts = { country, concludedAt, instructionsAt: told === '-' ? null : told };
  return { facts, expected: { firstDay, lastDay, endsAt, graceEndsAt, why } };
});

const endOf = (concludedAt: string, country: string, instructionsAt: string | null = concludedAt) =>
  withdrawalPeriod({ concludedAt, country, instructionsAt });

describe('the period of withdrawal', () => {
  it('equals the independently computed period, for every country with the right of withdrawal', () => {
    const wrong = rows.filter(
      ({ facts, expected }) => JSON.stringify(withdrawalPeriod(facts)) !== JSON.stringify(expected),
    );
    expect(wrong.slice(0, 5).map(({ facts, expected }) => [facts, withdrawalPeriod(facts), expected])).toEqual([]);
    expect(rows.length).toBeGreaterThan(800);
    expect(new Set(rows.map(({ expected }) => expected.why)).size).toBe(3);
    expect(new Set(rows.map(({ facts }) => facts.country)).size).toBe(31);
  });

  it('ends on no national holiday of the independently computed list', () => {
    const missing = Object.entries(table.holidays).flatMap(([country, days]) =>
      days
        .split(' ')
        .filter((day) => workingDayFrom(country, day) === day)
        .map((day) => `${country} ${day}`),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ['does not count the day of the contract', 'DE', '2026-06-01T10:00:00.000Z', '2026-06-15'],
    ['counts the local day of the buyer', 'DE', '2026-06-01T22:30:00.000Z', '2026-06-16'],
    ['moves from Saturday to Monday', 'DE', '2026-06-06T10:00:00.000Z', '2026-06-22'],
    ['moves over Christmas and a weekend', 'DE', '2026-12-11T10:00:00.000Z', '2026-12-28'],
    ['moves over New Year', 'SE', '2026-12-18T10:00:00.000Z', '2027-01-04'],
    ['moves over Easter', 'AT', '2027-03-12T10:00:00.000Z', '2027-03-30'],
    ['moves over the Easter of the Orthodox churches', 'GR', '2027-04-16T10:00:00.000Z', '2027-05-04'],
    ['ends on a leap day', 'FR', '2028-02-15T10:00:00.000Z', '2028-02-29'],
  ])('%s', (_, country, concludedAt, lastDay) => {
    expect(endOf(concludedAt, country).lastDay).toBe(lastDay);
  });

  it('ends at 23:59:59.999 in the country’s last time zone', () => {
    expect(endOf('2026-06-02T10:00:00.000Z', 'DE').endsAt).toBe('2026-06-16T21:59:59.999Z');
    expect(endOf('2026-06-02T10:00:00.000Z', 'PT').endsAt).toBe('2026-06-16T23:59:59.999Z'); // on the Azores
    expect(endOf('2026-06-02T10:00:00.000Z', 'FR').endsAt).toBe('2026-06-17T03:59:59.999Z'); // on Guadeloupe
    // the clocks of Berlin change on 29 March 2026, after the contract and before the end
    expect(endOf('2026-03-17T10:00:00.000Z', 'DE').endsAt).toBe('2026-03-31T21:59:59.999Z');
  });

  it('is twelve months longer if no instructions were sent, even after a leap day', () => {
    const period = endOf('2028-02-15T10:00:00.000Z', 'FR', null);
    expect(period).toMatchObject({ why: 'no_instructions', lastDay: '2029-02-28' });
  });

  it('begins with late instructions, unless they come after more than a year', () => {
    const concludedAt = '2026-06-01T10:00:00.000Z';
    expect(endOf(concludedAt, 'DE', '2026-09-01T10:00:00.000Z')).toMatchObject({
      why: 'instructions_late',
      firstDay: '2026-09-02',
      lastDay: '2026-09-15',
    });
    expect(endOf(concludedAt, 'DE', '2027-06-02T10:00:00.000Z')).toMatchObject({
      why: 'no_instructions',
      lastDay: '2027-06-15',
    });
  });

  it('always has 14 full days or more, and never ends on a weekend', () => {
    const countries = Object.keys(table.holidays);
    fc.assert(
      fc.property(
        fc.constantFrom(...countries),
        fc.date({ min: new Date('2025-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        (country, at) => {
          const { lastDay, endsAt, graceEndsAt } = endOf(at.toISOString(), country);
          expect(Date.parse(endsAt) - at.getTime()).toBeGreaterThan(14 * 86_400_000 - 3_600_000);
          expect([0, 6]).not.toContain(new Date(lastDay).getUTCDay());
          expect(graceEndsAt > endsAt).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is over one millisecond after its end, and a proposal allows five more days', () => {
    const period = endOf('2026-06-02T10:00:00.000Z', 'DE');
    const at = (instant: string) => timelinessOf(period, instant);
    expect(at('2026-06-16T21:59:59.999Z')).toBe('in_time');
    expect(at('2026-06-16T22:00:00.000Z')).toBe('in_grace');
    expect(at('2026-06-21T21:59:59.999Z')).toBe('in_grace');
    expect(at('2026-06-21T22:00:00Z')).toBe('late');
  });
});

describe('the area with a right of withdrawal', () => {
  it('is the EEA, the United Kingdom, and their territories that have a country code', () => {
    const area = [...Object.keys(table.holidays), 'AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT', 'SJ'];
    expect(area.filter((country) => !hasRightOfWithdrawal(country))).toEqual([]);
    expect(['US', 'CH', 'MC', 'IM', 'JE', 'GG', 'GI', 'TR', 'XI', ''].filter(hasRightOfWithdrawal)).toEqual([]);
  });

  it('has a known time zone for each of its countries', () => {
    for (const country of ['AX', 'GP', 'SJ'])
      expect(endOf('2026-06-02T10:00:00.000Z', country).why).toBe('fourteen_days');
    expect(endOf('2026-06-02T10:00:00.000Z', 'GP').endsAt).toBe('2026-06-17T03:59:59.999Z');
    expect(dayAfter('2028-02-28', 1)).toBe('2028-02-29');
  });
});
