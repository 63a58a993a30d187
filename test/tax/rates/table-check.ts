import { taxCategories } from '../../../shared/domain/checkout/tax.ts';
import type { Fault } from '../../../shared/domain/errors.ts';
import { one, rateTimesFraction } from '../../../shared/domain/money/rounding.ts';
import { intraState } from '../../../shared/tax/intra-state.ts';
import { isTaxCountry } from '../../../shared/tax/places/countries.ts';
import { findRegion, needsRegion } from '../../../shared/tax/places/regions.ts';
import { isTerritory } from '../../../shared/tax/places/territories.ts';
import type { RateRow } from '../../../shared/tax/rates/rate-row.ts';
import { confidences } from '../../../shared/tax/rates/rate-sheet.ts';
import { sources } from '../../../shared/tax/rates/sources.ts';

/** A period between two rows of one key in which no row is valid. */
interface Gap {
  after: RateRow;
  before: RateRow;
}

const dayMilliseconds = 86_400_000;

/** All faults of a rate table, by the row's id; empty for a correct one. */
export const tableFaults = (rows: readonly RateRow[]): Fault[] => [
  ...rows.flatMap((row) => rowFaults(row).map((message) => ({ path: row.id, message }))),
  ...neighbours(rows)
    .filter(
      ([earlier, later]) => earlier.effectiveTo === undefined || earlier.effectiveTo > (later.effectiveFrom ?? ''),
    )
    .map(([earlier, later]) => ({ path: later.id, message: `overlaps ${earlier.id}` })),
];

/** Periods without a rate in a key's history. They are not wrong, but worth a check. */
export const tableGaps = (rows: readonly RateRow[]): Gap[] =>
  neighbours(rows)
    .filter(
      ([earlier, later]) => earlier.effectiveTo !== undefined && earlier.effectiveTo < (later.effectiveFrom ?? ''),
    )
    .map(([after, before]) => ({ after, before }));

/** The facts that were not compared with their sources for a number of days before a date. */
export const staleRows = (rows: readonly RateRow[], on: string, maxDays = 180): RateRow[] =>
  rows.filter(({ checkedOn }) => Date.parse(on) - Date.parse(checkedOn) > maxDays * dayMilliseconds);

const rowFaults = (row: RateRow): string[] =>
  [placeFault, categoryFault, dateFault, decimalFault, sumFault, taxabilityFault, provenanceFault].flatMap(
    (faultOf) => faultOf(row) ?? [],
  );

function placeFault({ country, region }: RateRow): string | undefined {
  if (!isTaxCountry(country)) return `unknown country ${country}`;
  if (region === undefined) return needsRegion(country) && country !== 'IN' ? 'missing region' : undefined;
  const isKnown = needsRegion(country)
    ? findRegion(country, region)?.code === region || (country === 'IN' && region === intraState)
    : isTerritory(country, region);
  return isKnown ? undefined : `unknown region ${region}`;
}

const categoryFault = ({ category }: RateRow): string | undefined =>
  ['standard', ...taxCategories].includes(category) ? undefined : `unknown category ${category}`;

function dateFault({ effectiveFrom, effectiveTo, checkedOn }: RateRow): string | undefined {
  const bad = [effectiveFrom, effectiveTo, checkedOn].find((date) => date !== undefined && !isDate(date));
  if (bad !== undefined) return `not a date: ${bad}`;
  return effectiveFrom && effectiveTo && effectiveFrom >= effectiveTo ? 'ends before it begins' : undefined;
}

const decimalFault = ({ components }: RateRow): string | undefined =>
  components.flatMap(({ rate, baseFraction }) => [rate, baseFraction]).every(isDecimal)
    ? undefined
    : 'not a decimal string';

function sumFault({ components }: RateRow): string | undefined {
  const decimals = components.filter(({ rate, baseFraction }) => isDecimal(rate) && isDecimal(baseFraction));
  const sum = decimals.reduce((so, { rate, baseFraction }) => so + rateTimesFraction(rate, baseFraction), 0n);
  return sum > one ? 'comes to more than 100 %' : undefined;
}

function taxabilityFault({ taxability, components }: RateRow): string | undefined {
  const hasRate = components.some(({ rate }) => Number(rate) > 0);
  if (taxability === 'taxable') return hasRate ? undefined : 'taxable without a rate';
  return hasRate ? `${taxability} with a rate` : undefined;
}

function provenanceFault({ sources: keys, confidence }: RateRow): string | undefined {
  if (!confidences.includes(confidence)) return `unknown confidence ${confidence}`;
  if (keys.length === 0) return 'missing source';
  const unknown = keys.find((key) => !Object.hasOwn(sources, key));
  return unknown === undefined ? undefined : `unknown source ${unknown}`;
}

/** Pairs of consecutive rows of one key. */
function neighbours(rows: readonly RateRow[]): [RateRow, RateRow][] {
  const byKey = Map.groupBy(rows, ({ country, region, category }) => [country, region, category].join('|'));
  return [...byKey.values()].flatMap((group) => {
    const inOrder = group.toSorted((a, b) => ((a.effectiveFrom ?? '') < (b.effectiveFrom ?? '') ? -1 : 1));
    return inOrder.slice(1).map((later, index): [RateRow, RateRow] => [inOrder[index] ?? later, later]);
  });
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

const isDecimal = (value: unknown): boolean => typeof value === 'string' && /^\d{1,3}(\.\d{1,6})?$/.test(value);
