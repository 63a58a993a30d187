import * as z from 'zod';
import { StaleVersion } from '../idempotency.ts';
import { type DocumentKind, documentKinds, type Stamp } from './document.ts';

/**
 * The most documents that one transaction issues. It writes a row for each, the counter, and one row with all their
 * numbers. This last row must stay within one write unit.
 */
export const mostAtOnce = 33;

/** The numbers of one kind and year. 1 to `last` are used, and a number is never given back. */
export const Series = z.object({
  kind: z.enum(documentKinds),
  /** The year in the seller's calendar: `2026`. */
  year: z.string(),
  last: z.int().min(0),
  /** When the last number was taken; null before the first one. */
  lastIssuedAt: z.string().nullable(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type Series = z.infer<typeof Series>;

export const emptySeries = (kind: DocumentKind, year: string): Series => ({
  kind,
  year,
  last: 0,
  lastIssuedAt: null,
  version: 0,
});

/**
 * Thrown if one of the documents already exists. The caller must check again which are missing; the numbers are still
 * free.
 */
export class AlreadyIssued extends StaleVersion {
  constructor(subjectId: string) {
    super();
    this.name = 'AlreadyIssued';
    this.message = `The document of ${subjectId} was issued in the meantime.`;
  }
}

/** `INV-2026` */
const seriesName = ({ kind, year }: Pick<Series, 'kind' | 'year'>): string => `${kind}-${year}`;

/** The number that a payment or refund has for ever. If its document is lost, it is issued again with this number. */
export const TakenNumber = z.object({
  kind: z.enum(documentKinds),
  year: z.string(),
  serial: z.int().min(1),
  issuedAt: z.string(),
});
export type TakenNumber = z.infer<typeof TakenNumber>;

/** `INV-2026-000042`: at most 16 characters up to ten million documents a year. */
export const documentNumber = (series: Pick<Series, 'kind' | 'year'>, serial: number): string =>
  `${seriesName(series)}-${String(serial).padStart(6, '0')}`;

/** The number and dates of a document that already has a number. */
export function stampOf(taken: TakenNumber, dateOf: (instant: string) => string): Stamp {
  const { kind, serial, issuedAt } = taken;
  const number = documentNumber(taken, serial);
  return { kind, series: seriesName(taken), serial, number, issuedAt, issuedOn: dateOf(issuedAt) };
}

/** The number that a document uses. */
export const takenBy = ({ kind, series, serial, issuedAt }: Stamp): TakenNumber => ({
  kind,
  year: series.slice(series.indexOf('-') + 1),
  serial,
  issuedAt,
});

/**
 * Takes the next numbers of a series. The dates of issue never go backwards, even if the clocks of two machines differ.
 */
export function takeNumbers(
  series: Series,
  count: number,
  { now, dateOf }: { now: string; dateOf: (instant: string) => string },
): { after: Series; stamps: Stamp[] } {
  const { kind, last, lastIssuedAt } = series;
  const issuedAt = lastIssuedAt !== null && lastIssuedAt > now ? lastIssuedAt : now;
  const stamps = Array.from({ length: count }, (_, index) =>
    stampOf({ kind, year: series.year, serial: last + index + 1, issuedAt }, dateOf),
  );
  return { after: { ...series, last: last + count, lastIssuedAt: issuedAt }, stamps };
}

/** The result of an audit of a series: whether it begins at 1 and runs to the last number without a gap. */
export interface SeriesAudit {
  series: string;
  first: number | null;
  last: number | null;
  count: number;
  /** Missing numbers, in ranges. */
  gaps: { from: number; to: number }[];
  /** The last number of the series. It is read before the numbers themselves. */
  counter: number;
  isContinuous: boolean;
}

/**
 * Compares the numbers after `after`, in ascending order, with the counter. Ignores numbers above the counter, because
 * they are being issued now. For a portion of a series, the counter is the last number of the portion.
 */
export function auditSeries(series: Series, serials: readonly number[], after = 0): SeriesAudit {
  const counted = serials.filter((serial) => serial <= series.last);
  const gaps = gapsIn(counted, after, series.last);
  return {
    series: seriesName(series),
    first: counted[0] ?? null,
    last: counted.at(-1) ?? null,
    count: counted.length,
    gaps,
    counter: series.last,
    isContinuous: gaps.length === 0 && counted.length === Math.max(0, series.last - after),
  };
}

function gapsIn(serials: readonly number[], after: number, last: number): SeriesAudit['gaps'] {
  const gaps: SeriesAudit['gaps'] = [];
  let expected = after + 1;
  for (const serial of [...serials, last + 1]) {
    if (serial > expected) gaps.push({ from: expected, to: serial - 1 });
    expected = serial + 1;
  }
  return gaps;
}
