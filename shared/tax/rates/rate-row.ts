import type { Confidence, RateCategory, RateLine, Taxability } from './rate-sheet.ts';

/** One tax of a row. Both figures are decimal strings. */
interface RateComponent {
  name: string;
  rate: string;
  baseFraction: string;
}

/** One fact: how a place taxes a category between two dates, with its sources and how certain it is. */
export interface RateRow {
  /**
   * The permanent id of the fact: `US-TX/saas`, `FI/e_book/2026-01-01`. It does not change when the fact gets an end
   * date.
   */
  id: string;
  country: string;
  /** A state, a province or a territory: `TX`, `QC`, `CN`. */
  region: string | undefined;
  category: RateCategory;
  taxability: Taxability;
  /** The taxes of the row. If there is no rate, the list is empty, and `taxability` says why. */
  components: readonly RateComponent[];
  /** The first local date on which it is valid; absent if it has no start. */
  effectiveFrom: string | undefined;
  /** The first local date on which it is no longer valid. */
  effectiveTo: string | undefined;
  confidence: Confidence;
  /** Keys of `sources`. */
  sources: readonly string[];
  note: string | undefined;
  checkedOn: string;
}

/** Turns each line of a place into a row. */
export const rowsOf = (place: string, lines: readonly RateLine[], checkedOn: string): RateRow[] =>
  lines.flatMap((line) => rowsOfLine(place, line, checkedOn));

/** Whether the row is valid on a local date. */
export const holdsOn = (row: Partial<Pick<RateRow, 'effectiveFrom' | 'effectiveTo'>>, date: string): boolean =>
  (row.effectiveFrom ?? '') <= date && (row.effectiveTo === undefined || date < row.effectiveTo);

function rowsOfLine(place: string, line: RateLine, checkedOn: string): RateRow[] {
  const [categories, taxes, validity, confidence, sources, note] = line;
  const [country = '', region] = splitOnce(place, '-');
  const [effectiveFrom, effectiveTo] = validity.split('..').map((date) => date || undefined);
  const components = componentsOf(taxes);
  const shared = {
    country,
    region,
    taxability: taxabilityOf(taxes, components),
    components,
    effectiveFrom,
    effectiveTo,
  };
  const provenance = { confidence, sources: sources.split(' ').filter(Boolean), note, checkedOn };
  return categories.split(' ').map((name) => {
    const category = name as RateCategory;
    const id = [place, category, effectiveFrom].filter(Boolean).join('/');
    return { id, category, ...shared, ...provenance };
  });
}

function componentsOf(taxes: RateLine[1]): RateComponent[] {
  if (typeof taxes === 'string') return [];
  return Object.entries(taxes).map(([name, tax]) => {
    const [rate, baseFraction] = typeof tax === 'string' ? [tax, '1'] : tax;
    return { name, rate, baseFraction };
  });
}

function taxabilityOf(taxes: RateLine[1], components: readonly RateComponent[]): Taxability {
  if (typeof taxes === 'string') return taxes;
  return components.every(({ rate }) => rate === '0') ? 'zero_rated' : 'taxable';
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
