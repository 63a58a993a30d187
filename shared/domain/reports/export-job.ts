import * as z from 'zod';
import { dayMs, hourMs } from '../duration.ts';
import { refuse } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { isWholeMonth, wholeQuarter } from './returns/period.ts';

/**
 * The kinds of tax returns that a worker makes. `home`: the return of the seller's own member state. `recap`: the
 * recapitulative statement of sales to businesses of other member states.
 */
export const returnKinds = ['oss', 'home', 'recap', 'gb', 'ch', 'general'] as const;
export type ReturnKind = (typeof returnKinds)[number];

/** The files that a worker makes: returns, and the list of payments. */
export const exportKinds = [...returnKinds, 'payments'] as const;
export type ExportKind = (typeof exportKinds)[number];

const ExportFile = z.object({ name: z.string(), bytes: z.int() });
export type ExportFile = z.infer<typeof ExportFile>;

/** A request for files. It is `waiting`, then `running`, then `done` or `failed`. Its files are kept for a day. */
export const ExportJob = z.object({
  id: z.string(),
  kind: z.enum(exportKinds),
  /** Days, both included. */
  from: z.iso.date(),
  to: z.iso.date(),
  status: z.enum(['waiting', 'running', 'done', 'failed']),
  /** The number of payments, refunds and disputes that are counted so far. */
  counted: z.int(),
  attempts: z.int(),
  /** Until when a worker has claimed the job. */
  claimedUntil: z.string().nullable(),
  /** What the merchant has to know before using the files, or why the job failed. */
  notes: z.array(z.string()),
  files: z.array(ExportFile),
  /** Whether the return can be filed: its period was over, and its rates are final. Absent if not. */
  isFileable: z.literal(true).optional(),
  createdBy: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /** When its files are removed. */
  expiresAt: z.string(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type ExportJob = z.infer<typeof ExportJob>;

export type ExportRequest = Pick<ExportJob, 'kind' | 'from' | 'to'>;

/** The most days of a period, because a longer return would not finish in time. */
const mostDays = 366;
const mostAttempts = 3;
/**
 * How long a claim lasts. It is longer than a function can run, so a worker whose claim has expired has certainly
 * ended.
 */
const claimMs = 16 * 60_000;
const keptMs = 24 * hourMs;

/** Refuses a period that the kind does not have. */
export function newExportJob(
  request: ExportRequest,
  { id, now, createdBy }: { id: string; now: string; createdBy: string },
): ExportJob {
  const { kind, from, to } = request;
  if (from > to) throw refuse('INVALID_REQUEST_BODY', 'to', brokenRule(sentences.return_order));
  if ((Date.parse(to) - Date.parse(from)) / dayMs >= mostDays)
    throw refuse('INVALID_REQUEST_BODY', 'to', brokenRule(sentences.return_days, { most: mostDays }));
  if (kind === 'oss' && wholeQuarter(request) === undefined)
    throw refuse('INVALID_REQUEST_BODY', 'from', brokenRule(sentences.return_quarter));
  if (kind === 'recap' && wholeQuarter(request) === undefined && !isWholeMonth(request))
    throw refuse('INVALID_REQUEST_BODY', 'from', brokenRule(sentences.return_month));
  const expiresAt = new Date(Date.parse(now) + keptMs).toISOString();
  const open = { status: 'waiting' as const, counted: 0, attempts: 0, claimedUntil: null, notes: [], files: [] };
  return { id, kind, from, to, ...open, createdBy, createdAt: now, endedAt: null, expiresAt, version: 0 };
}

/** Whether a worker may take the job: it is waiting, or its worker has ended without finishing. */
export const isOpenJob = ({ status, claimedUntil }: ExportJob, now: string): boolean =>
  status === 'waiting' || (status === 'running' && (claimedUntil ?? '') < now);

/** The job after a worker has claimed it. If it was tried too often, it fails instead. */
export function claimJob(job: ExportJob, now: string): ExportJob {
  if (job.attempts >= mostAttempts) return failJob(job, 'It was tried three times and did not end.', now);
  const claimedUntil = new Date(Date.parse(now) + claimMs).toISOString();
  return { ...job, status: 'running', counted: 0, attempts: job.attempts + 1, claimedUntil };
}

/** The job after a failed try. It waits for another try, or fails if it was tried often enough. */
export const returnJob = (job: ExportJob, now: string): ExportJob =>
  job.attempts >= mostAttempts
    ? failJob(job, 'Something went wrong, three times. Try again later, or choose a shorter period.', now)
    : { ...job, status: 'waiting', claimedUntil: null };

export const failJob = (job: ExportJob, why: string, now: string): ExportJob => ({
  ...job,
  status: 'failed',
  claimedUntil: null,
  notes: [why],
  endedAt: now,
});

export const endJob = (
  job: ExportJob,
  made: Pick<ExportJob, 'notes' | 'files' | 'counted' | 'isFileable'>,
  now: string,
): ExportJob => ({
  ...job,
  ...made,
  status: 'done',
  claimedUntil: null,
  endedAt: now,
});

/** The file with everything that a return declares. It is read again when the return is filed. */
export const draftFileName = 'draft.json';

/** A finished job whose files still exist. */
export const findExportJob = (jobs: readonly ExportJob[], id: string, now: string): ExportJob | undefined =>
  jobs.find((job) => job.id === id && job.status === 'done' && job.expiresAt > now);

/** Finds a file of an export job. Undefined if there is no such file or it has already expired. */
export const findExportFile = (job: ExportJob | undefined, name: string, now: string): ExportFile | undefined =>
  job && job.expiresAt > now ? job.files.find((file) => file.name === name) : undefined;

/** The folder of the files in the bucket, which removes them after a day. */
export const exportPrefix = 'exports/';
