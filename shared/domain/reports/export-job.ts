import * as z from 'zod';
import { dayMs, hourMs } from '../duration.ts';
import { refuse } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { wholeQuarter } from './returns/period.ts';

/** The files that a worker makes: returns, and the list of payments. */
export const exportKinds = ['oss', 'gb', 'ch', 'general', 'payments'] as const;
export type ExportKind = (typeof exportKinds)[number];

const ExportFile = z.object({ name: z.string(), bytes: z.int() });
export type ExportFile = z.infer<typeof ExportFile>;

/** A request for files. It is `waiting`, then `running`, then `done` or `failed`; its files are kept for a day. */
export const ExportJob = z.object({
  id: z.string(),
  kind: z.enum(exportKinds),
  /** Days, both included. */
  from: z.iso.date(),
  to: z.iso.date(),
  status: z.enum(['waiting', 'running', 'done', 'failed']),
  /** The payments, refunds and disputes that were counted so far. */
  counted: z.int(),
  attempts: z.int(),
  /** Until when a worker has claimed it. */
  claimedUntil: z.string().nullable(),
  /** What the merchant has to know before they use it, or why it failed. */
  notes: z.array(z.string()),
  files: z.array(ExportFile),
  createdBy: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /** When its files go. */
  expiresAt: z.string(),
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type ExportJob = z.infer<typeof ExportJob>;

export type ExportRequest = Pick<ExportJob, 'kind' | 'from' | 'to'>;

/** A return with more days would never end in time. */
const mostDays = 366;
const mostAttempts = 3;
/** Longer than a function runs: what is claimed for longer has died. */
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
  const expiresAt = new Date(Date.parse(now) + keptMs).toISOString();
  const open = { status: 'waiting' as const, counted: 0, attempts: 0, claimedUntil: null, notes: [], files: [] };
  return { id, kind, from, to, ...open, createdBy, createdAt: now, endedAt: null, expiresAt, version: 0 };
}

/** Whether a worker may take it: it waits, or the worker that had it has died. */
export const isOpenJob = ({ status, claimedUntil }: ExportJob, now: string): boolean =>
  status === 'waiting' || (status === 'running' && (claimedUntil ?? '') < now);

/** The job in a worker's hands; one that has failed too often has ended. */
export function claimJob(job: ExportJob, now: string): ExportJob {
  if (job.attempts >= mostAttempts) return failJob(job, 'It was tried three times and did not end.', now);
  const claimedUntil = new Date(Date.parse(now) + claimMs).toISOString();
  return { ...job, status: 'running', counted: 0, attempts: job.attempts + 1, claimedUntil };
}

/** It goes back to be tried again, or has ended where it was tried often enough. */
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
  made: Pick<ExportJob, 'notes' | 'files' | 'counted'>,
  now: string,
): ExportJob => ({
  ...job,
  ...made,
  status: 'done',
  claimedUntil: null,
  endedAt: now,
});

/** A file of a job that can still be had. */
export const findExportFile = (job: ExportJob | undefined, name: string, now: string): ExportFile | undefined =>
  job && job.expiresAt > now ? job.files.find((file) => file.name === name) : undefined;

/** Where the bucket keeps the files; it removes them after a day. */
export const exportPrefix = 'exports/';
