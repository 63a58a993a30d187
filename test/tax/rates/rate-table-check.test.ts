import { describe, expect, it } from 'vitest';
import type { RateRow } from '../../../shared/tax/rates/rate-row.ts';
import { checkedOn, rateRows } from '../../../shared/tax/rates/rate-table.ts';
import { row } from '../builders.ts';
import { staleRows, tableFaults, tableGaps } from './table-check.ts';

const messages = (...rows: RateRow[]) => tableFaults(rows).map(({ message }) => message);
const vat = (...rates: string[]) => rates.map((rate, index) => ({ name: `VAT ${index}`, rate, baseFraction: '1' }));

describe('the rate table', () => {
  it('has no faults', () => {
    expect(tableFaults(rateRows())).toEqual([]);
  });

  it('has no gaps in time for any place and category', () => {
    expect(tableGaps(rateRows())).toEqual([]);
  });

  it('lists its facts for a new check 180 days after the last check, and not before', () => {
    const day = (after: number) => new Date(Date.parse(checkedOn) + after * 86_400_000).toISOString().slice(0, 10);
    expect(staleRows(rateRows(), day(180))).toEqual([]);
    expect(staleRows(rateRows(), day(181)).length).toBeGreaterThan(0);
  });

  it('reports how many facts are due for a check today, but does not fail', () => {
    const due = staleRows(rateRows(), new Date().toISOString());
    if (due.length > 0)
      console.warn(`${due.length} of ${rateRows().length} tax facts were last checked over 180 days ago`);
  });
});

describe('the check of a rate table', () => {
  it('finds no fault in valid rows', () => {
    expect(messages(row())).toEqual([]);
    expect(messages(row({ taxability: 'zero_rated', components: vat('0') }))).toEqual([]);
    expect(messages(row({ taxability: 'exempt', components: [] }))).toEqual([]);
    expect(messages(row({ id: 'old', effectiveFrom: undefined, effectiveTo: '2021-01-01' }), row())).toEqual([]);
  });

  it.each<[string, Partial<RateRow>, string]>([
    ['an unknown country', { country: 'QQ' }, 'unknown country QQ'],
    ['an unknown state', { country: 'US', region: 'ZZ' }, 'unknown region ZZ'],
    ['a state that is missing', { country: 'US' }, 'missing region'],
    ['an unknown territory', { country: 'ES', region: 'XX' }, 'unknown region XX'],
    ['an unknown category', { category: 'books' as RateRow['category'] }, 'unknown category books'],
    [
      'a number instead of a string',
      { components: [{ name: 'VAT', rate: 0.19 as never, baseFraction: '1' }] },
      'not a decimal string',
    ],
    [
      'a number as base fraction',
      { components: [{ name: 'VAT', rate: '0.19', baseFraction: 1 as never }] },
      'not a decimal string',
    ],
    ['more than six places', { components: vat('0.1234567') }, 'not a decimal string'],
    ['a percentage with its sign', { components: vat('19 %') }, 'not a decimal string'],
    ['rates of more than the price', { components: vat('0.6', '0.400001') }, 'comes to more than 100 %'],
    ['a taxable row without a rate', { components: [] }, 'taxable without a rate'],
    ['a rate on an exempt row', { taxability: 'exempt' }, 'exempt with a rate'],
    ['a missing source', { sources: [] }, 'missing source'],
    ['an unknown source', { sources: ['hearsay'] }, 'unknown source hearsay'],
    ['an unknown confidence', { confidence: 'certain' as RateRow['confidence'] }, 'unknown confidence certain'],
    ['a day that is no day', { effectiveFrom: '2021-02-29' }, 'not a date: 2021-02-29'],
    ['an end before the beginning', { effectiveTo: '2021-01-01' }, 'ends before it begins'],
  ])('finds %s', (_, changes, message) => {
    expect(messages(row(changes))).toContain(message);
  });

  it('finds no fault in a rate of exactly 100 %', () => {
    expect(messages(row({ components: vat('0.6', '0.4') }))).toEqual([]);
  });

  it.each<[string, Partial<RateRow>]>([
    ['an open row before another', { effectiveFrom: '2019-01-01' }],
    ['a row that ends a day too late', { effectiveFrom: undefined, effectiveTo: '2021-01-02' }],
    ['two rows of one beginning', {}],
  ])('finds overlaps in time: %s', (_, changes) => {
    expect(messages(row({ id: 'other', ...changes }), row())).toEqual([expect.stringContaining('overlaps')]);
  });

  it('finds no overlap between places or between categories', () => {
    expect(messages(row(), row({ country: 'FR' }), row({ category: 'e_book' }))).toEqual([]);
  });

  it('finds gaps in time, and does not call them faults', () => {
    const earlier = row({ id: 'earlier', effectiveFrom: '2019-01-01', effectiveTo: '2020-12-31' });
    expect(tableGaps([row(), earlier])).toEqual([{ after: earlier, before: row() }]);
    expect(messages(earlier, row())).toEqual([]);
  });
});
