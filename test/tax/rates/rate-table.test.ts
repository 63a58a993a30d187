import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { businessRules } from '../../../shared/tax/business-buyers.ts';
import { checkedOn, isKnownTable, rateRows } from '../../../shared/tax/rates/rate-table.ts';
import { superseded } from '../../../shared/tax/rates/superseded-tables.ts';
import { tableVersion } from '../../../shared/tax/rates/table-version.ts';

const factsOf = (version: string) => rateRows(version).toSorted((a, b) => (a.id < b.id ? -1 : 1));
const hashOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8);

/** A day, and the hash of the facts and of the rules for businesses in the table of a version. */
const versionOf = (version: string): RegExp =>
  new RegExp(`^\\d{4}-\\d\\d-\\d\\d\\.${hashOf([factsOf(version), [...businessRules(version)]])}$`);

const count = (pick: (row: ReturnType<typeof rateRows>[number]) => string): number =>
  new Set(rateRows().map(pick)).size;

describe('the rate table', () => {
  it('holds all 795 facts, under 756 keys, of 187 places in 106 countries', () => {
    expect(rateRows()).toHaveLength(795);
    expect(count(({ country, region, category }) => `${country}|${region}|${category}`)).toBe(756);
    expect(count(({ country, region }) => `${country}|${region}`)).toBe(187);
    expect(count(({ country }) => country)).toBe(106);
  });

  it.each([
    ['high', 476],
    ['medium', 212],
    ['low', 107], // 476 + 212 + 107 = 795
  ])('gives the confidence “%s” to exactly %i facts', (confidence, facts) => {
    expect(rateRows().filter((row) => row.confidence === confidence)).toHaveLength(facts);
  });

  it.each([
    ['taxable', 704],
    ['not_taxable', 52],
    ['no_tax', 21],
    ['outside_scope', 11],
    ['zero_rated', 5],
    ['exempt', 2], // 704 + 52 + 21 + 11 + 5 + 2 = 795
  ])('gives the taxability “%s” to exactly %i facts', (taxability, facts) => {
    expect(rateRows().filter((row) => row.taxability === taxability)).toHaveLength(facts);
  });

  it('covers the 51 US jurisdictions, the 13 Canadian ones and the 27 EU member states', () => {
    const regionsIn = (country: string) =>
      new Set(
        rateRows()
          .filter((row) => row.country === country)
          .map((row) => row.region),
      );
    expect(regionsIn('US').size).toBe(51);
    expect(regionsIn('CA').size).toBe(13);
    const union = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
    const standards = rateRows().filter((row) => row.category === 'standard' && row.region === undefined);
    expect(union.every((country) => standards.some((row) => row.country === country))).toBe(true);
  });

  it('gives every fact a unique id', () => {
    expect(count(({ id }) => id)).toBe(rateRows().length);
  });

  it.each([tableVersion, ...superseded.tables.map(({ version }) => version)])(
    'gets a new version when a fact or a business rule changes, and keeps earlier versions: %s',
    (version) => {
      expect(version, 'the day of the change and this hash').toMatch(versionOf(version));
    },
  );

  it('recognizes its own version, and uses today’s facts for an unknown version', () => {
    expect([tableVersion, '2025-01-01.00000000', ''].map(isKnownTable)).toEqual([true, false, false]);
    expect(factsOf('2025-01-01.00000000')).toEqual(factsOf(tableVersion));
  });

  it('has the check date of its oldest sheet', () => {
    expect(rateRows().every((row) => row.checkedOn >= checkedOn)).toBe(true);
    expect(tableVersion.slice(0, 10) >= checkedOn).toBe(true);
  });
});
