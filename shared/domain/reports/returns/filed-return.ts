import * as z from 'zod';
import { dayMs } from '../../duration.ts';
import { DomainError } from '../../errors.ts';
import { DayRates } from '../../money/exchange-rates.ts';
import * as sentences from '../../rules/rule-sentences.ts';
import { brokenRule } from '../../rules/rules.ts';
import { type ExportJob, type ExportRequest, returnKinds } from '../export-job.ts';
import { type DayPeriod, yearsAfter } from './period.ts';

/**
 * What a return declares, as the worker computed it. A merchant files exactly these figures, or requests the return
 * again.
 */
export const ReturnDraft = z.object({
  kind: z.enum(returnKinds),
  /** Days, both included. */
  from: z.iso.date(),
  to: z.iso.date(),
  madeAt: z.string(),
  /** The version of the rate table when the return was made. */
  tableVersion: z.string(),
  /** The exchange rates by quarter. Empty if the documents have their own. */
  rates: z.array(z.object({ quarter: z.string(), rates: DayRates })),
  /** The file of the return, with its boxes. */
  boxes: z.string(),
  notes: z.array(z.string()),
  /** The movements that the boxes contain, each as `sale pay_…`. */
  counted: z.array(z.string()),
  /** The other movements of the period, which are in no box of this return. */
  others: z.array(z.string()),
  /** The counted movements whose own period was already filed. */
  late: z.array(z.string()),
  /** The first days of the returns of this kind that were filed when this one was made. */
  filedBefore: z.array(z.string()),
});
export type ReturnDraft = z.infer<typeof ReturnDraft>;

/** A return that was filed. It never changes. Its movements are in separate rows, because there can be many. */
export const FiledReturn = ReturnDraft.omit({ counted: true, others: true, filedBefore: true }).extend({
  filedAt: z.string(),
  filedBy: z.string(),
  /** The number of movements in the boxes. */
  count: z.int(),
  /** The number of rows with its movements. */
  parts: z.int(),
  /** SHA-256 of the draft. It proves that nothing has changed since. */
  hash: z.string(),
  version: z.int(),
});
export type FiledReturn = z.infer<typeof FiledReturn>;

/** The movements of a filed return: those in its boxes, and the others that it has looked at. */
export const FiledMovements = ReturnDraft.pick({ counted: true, others: true });
export type FiledMovements = z.infer<typeof FiledMovements>;

const dayAfter = (day: string, days = 1): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

const overlaps = (a: DayPeriod, b: DayPeriod): boolean => a.from <= b.to && b.from <= a.to;

/** The filed return of a kind that a period overlaps; undefined if there is none. */
export const overlappedBy = (filed: readonly FiledReturn[], request: ExportRequest): FiledReturn | undefined =>
  filed.find((one) => one.kind === request.kind && overlaps(one, request));

/** How many years back a return looks for missed movements. The law allows no corrections of older periods. */
const searchedYears = 3;

/**
 * The earlier filed returns that directly precede this period without a gap, newest first. Movements that they missed
 * are declared in this period. Before a gap, the missed movements belong to the unfiled period.
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

/** After how many days a period has ended everywhere. A local day can end up to 12 hours after the UTC day. */
const openDays = 2;

/** Whether a period had ended in every time zone. */
export const isOver = ({ to }: DayPeriod, at: string): boolean => at.slice(0, 10) >= dayAfter(to, openDays);

/** The most movements of one row, so that a row stays below the table's limit of 400 kB. */
const mostInPart = 5_000;

/** Divides the movements of a draft into the rows that store them. */
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

/** Refuses to file a return that was made before its period ended, or without published rates. */
export function assertFileable({ isFileable }: Pick<ExportJob, 'isFileable'>): void {
  if (!isFileable) throw conflict(sentences.return_open);
}

/**
 * Files a return. Refuses it if its period is already filed, or if another return was filed after this one was made.
 */
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

/**
 * Refuses to make a return for a period that is already filed. A general return is allowed, because it is not a form
 * that is filed.
 */
export function assertNotFiled(filed: readonly FiledReturn[], request: ExportRequest): void {
  const overlapped = request.kind === 'general' ? undefined : overlappedBy(filed, request);
  if (overlapped) throw conflict(sentences.return_filed, { from: overlapped.from, to: overlapped.to });
}
