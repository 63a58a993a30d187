import { describe, expect, it } from 'vitest';
import { checkTaxIdFormat } from '../../../shared/tax/tax-ids/tax-id.ts';
import { seeded } from '../../support/seeded.ts';
import { judgedNumbers } from './judged-numbers.ts';

/** How a buyer writes a number whose digits are given. */
const written: Readonly<Record<string, (digits: string) => string>> = {
  CA: (digits) => `${digits}RT0001`,
  CH: (digits) => `CHE${digits}MWST`,
  JP: (digits) => `T${digits}`,
  NO: (digits) => `${digits}MVA`,
};

const statusOf = (digits: string, country: string) =>
  checkTaxIdFormat((written[country] ?? String)(digits), country).status;

it.each([
  ['AU', '83914571673'],
  ['CH', '116281710'],
  ['NO', '923609016'],
  ['CA', '123026635'],
  ['NZ', '49091850'],
  ['NZ', '136410132'], // the second row of weights decides
  ['JP', '5835678256246'],
  ['IN', '27AAPFU0939F1ZV'],
  ['TW', '00501503'],
  ['TW', '12345675'], // the seventh digit is a 7: 1 + 4 + 3 + 8 + 5 + 3 + 10 + 5 = 39, and 40 is a multiple of 5
  ['TW', '00501508'], // 5 more than a multiple of 10, which only the rule of 2023 accepts
])('in %s, the check digit of %s is accepted', (country, digits) => {
  expect(statusOf(digits, country)).toBe('unverified');
});

it.each([
  ['TW', '00501502'],
  ['NZ', '09125568'], // right, but smaller than any number
  ['NZ', '136410133'],
])('in %s, the number %s is refused', (country, digits) => {
  expect(statusOf(digits, country)).toBe('invalid');
});

describe.each(Object.entries(judgedNumbers))('tax ids in %s', (country, { valid, invalid }) => {
  it('of random numbers are judged like in an independent library', () => {
    const judged = (digits: string) => digits.split(' ').map((one) => statusOf(one, country));
    expect(new Set(judged(valid))).toEqual(new Set(['unverified']));
    expect(new Set(judged(invalid))).toEqual(new Set(['invalid']));
  });

  // New Zealand checks a number with a second row of weights too, which accepts some of these
  it.skipIf(country === 'NZ')('with one mistyped digit are refused', () => {
    const random = seeded(16);
    for (const number of valid.split(' ')) {
      const place = [...number.matchAll(/\d/g)].map(({ index }) => index).at(Math.floor(random() * 9) % 9) ?? 0;
      const typed = String((Number(number[place]) + 1 + Math.floor(random() * 8)) % 10);
      const mistyped = number.slice(0, place) + typed + number.slice(place + 1);
      if (isUnnoticed(country, number[place] ?? '', typed)) continue;
      expect(statusOf(mistyped, country)).toBe('invalid');
    }
  });
});

/** Japan counts in nines: a 0 for a 9 is the same to it. */
const isUnnoticed = (country: string, before: string, after: string): boolean =>
  country === 'JP' && [before, after].sort().join('') === '09';
