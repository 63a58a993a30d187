import * as z from 'zod';
import { dayMs } from '../../duration.ts';
import { DomainError } from '../../errors.ts';
import { DayRates } from '../../money/exchange-rates.ts';
import * as sentences from '../../rules/rule-sentences.ts';
import { brokenRule } from '../../rules/rules.ts';
import { type ExportJob, type ExportRequest, returnKinds } from '../export-job.ts';
import { type DayPeriod, yearsAfter } from './period.ts';

/** What a return declares, as the worker made it. A merchant files exactly this, or makes the return again. */
export const ReturnDraft = z.object({
  kind: z.enum(returnKinds),
  /** Days, both included. */
  from: z.iso.date(),
  to: z.iso.date(),
  madeAt: z.string(),
  /** The version of the rate table at that time. */
  tableVersion: z.string(),
  /** The exchange rates by quarter. Empty if the documents have their own. */
  rates: z.array(z.object({ quarter: z.string(), rates: DayRates })),
  /** The file of the return, with its boxes. */
  boxes: z.string(),
  notes: z.array(z.string()),
  /** The movements that the boxes contain, each as `sale pay_…`. */
  counted: z.array(z.string()),
  /** Other movements of the period, which belong to no box of this return. */
  others: z.array(z.string()),
  /** The counted movements of periods that were filed before. */
  late: z.array(z.string()),
  /** The first days of the returns of this kind that were filed when this one was made. */
  filedBefore: z.array(z.string()),
});
export type ReturnDraft = z.infer<typeof ReturnDraft>;

/** A return that was filed. It never changes. Its movements are in rows of their own, because they can be many. */
export const FiledReturn = ReturnDraft.omit({ counted: true, others: true, filedBefore: true }).extend({
  filedAt: z.string(),
  filedBy: z.string(),
  /** How many movements the boxes contain. */
  count: z.int(),
  /** The number of rows with its movements. */
  parts: z.int(),
  /** SHA-256 of the draft. It proves that nothing has changed since. */
  hash: z.string(),
  version: z.int(),
});
export type FiledReturn = z.infer<typeof FiledReturn>;

/** The movements of a filed return: those in its boxes, and others that were seen. */
export const FiledMovements = ReturnDraft.pick({ counted: true, others: true });
export type FiledMovements = z.infer<typeof FiledMovements>;

const dayAfter = (day: string, days = 1): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

const overlaps = (a: DayPeriod, b: DayPeriod): boolean => a.from <= b.to && b.from <= a.to;

/** The filed return of a kind that a period overlaps; undefined if there is none. */
export const overlappedBy = (filed: readonly FiledReturn[], request: ExportRequest): FiledReturn | undefined =>
  filed.find((one) => one.kind === request.kind && overlaps(one, request));

/** How many years back a return looks for what was missed. Later, the law corrects nothing. */
const searchedYears = 3;

/**
 * The filed returns whose periods lead to this one without a gap, newest first. What they missed is declared in this
 * period. After a gap, the unfiled period declares it.
 */
export function filedUpTo(filed: readonly FiledReturn[], { kind, from }: ExportRequest): FiledReturn[] {
  const chain: FiledReturn[] = [];
  let next = from;
  for (;;) {
    const before = filed.find((one) => one.kind === kind && dayAfter(one.to) === next);
    if (!before || before.to < yearsAfter(from, 0 - searchedYears)) return chain;
    chain.push(before);
    next = before.from;
  }
}

/** After how many days the last sales of a period are over everywhere: a local day ends up to 12 hours after UTC's. */
const openDays = 2;

/** Whether a period was over everywhere. */
export const isOver = ({ to }: DayPeriod, at: string): boolean => at.slice(0, 10) >= dayAfter(to, openDays);

/** The most movements of one row, so that a row stays below the table's limit of 400 kB. */
const mostInPart = 5_000;

/** The movements of a draft in the rows in which they are stored. */
export function movementParts({ counted, others }: FiledMovements): FiledMovements[] {
  const parts: FiledMovements[] = [];
  const rest = [
    ...counted.map((key) => ({ key, isCounted: true })),
    ...others.map((key) => ({ key, isCounted: false })),
  ];
  for (let start = 0; start < rest.length; start += mostInPart) {
    const part = rest.slice(start, start + mostInPart);
    const keysOf = (wanted: boolean) => part.filter(({ isCounted }) => isCounted === wanted).map(({ key }) => key);
    parts.push({ counted: keysOf(true), others: keysOf(false) });
  }
  return parts;
}

interface Filing {
  draft: ReturnDraft;
  hash: string;
  filed: readonly FiledReturn[];
  by: string;
  now: string;
}

/** Refuses to file a return that was made while its period was open, or without published rates. */
export function assertFileable({ isFileable }: Pick<ExportJob, 'isFileable'>): void {
  if (!isFileable) throw conflict(sentences.return_open);
}

/** Files a return. Refuses one whose period was filed, and one that was made before another was filed. */
export function decideFiling({ draft, hash, filed, by, now }: Filing): FiledReturn {
  const { counted, others: _, filedBefore, ...declared } = draft;
  const overlapped = overlappedBy(filed, draft);
  if (overlapped) throw conflict(sentences.return_filed, { from: overlapped.from, to: overlapped.to });
  const known = filed.filter(({ kind }) => kind === draft.kind).map(({ from }) => from);
  if (known.toSorted().join() !== filedBefore.toSorted().join()) throw conflict(sentences.return_outdated);
  const parts = movementParts(draft).length;
  return { ...declared, filedAt: now, filedBy: by, count: counted.length, parts, hash, version: 0 };
}

const conflict = (...rule: Parameters<typeof brokenRule>): DomainError =>
  new DomainError('CONFLICT', brokenRule(...rule));

/** Refuses to make a return again that was filed. A general return may cover filed periods, because it is no form. */
export function assertNotFiled(filed: readonly FiledReturn[], request: ExportRequest): void {
  const overlapped = request.kind === 'general' ? undefined : overlappedBy(filed, request);
  if (overlapped) throw conflict(sentences.return_filed, { from: overlapped.from, to: overlapped.to });
}
