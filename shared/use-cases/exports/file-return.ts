import { notFound } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { draftFileName, findExportJob } from '../../domain/reports/export-job.ts';
import {
  assertFileable,
  decideFiling,
  type FiledReturn,
  movementParts,
  ReturnDraft,
} from '../../domain/reports/returns/filed-return.ts';
import type { ExportJobStore } from '../../store/export-job-store.ts';
import type { FiledReturnStore } from '../../store/filed-return-store.ts';
import { retryStale } from '../retry.ts';

export interface FileReturnDeps {
  exportJobs: Pick<ExportJobStore, 'list'>;
  filedReturns: Pick<FiledReturnStore, 'list' | 'save'>;
  /** Reads a file of a job. */
  readFile: (jobId: string, name: string) => Promise<string>;
  /** SHA-256 of a text, in hexadecimal digits. */
  hashOf: (text: string) => string;
  now: () => Date;
}

/** Marks a finished return as filed. Its boxes and movements are then stored for ever. */
export async function fileReturn(
  deps: FileReturnDeps,
  { jobId, by }: { jobId: string; by: string },
  claim: Claim<FiledReturn>,
): Promise<FiledReturn> {
  const now = deps.now().toISOString();
  const job = findExportJob(await deps.exportJobs.list(), jobId, now);
  if (!job) throw notFound('file', jobId);
  assertFileable(job);
  const text = await deps.readFile(job.id, draftFileName);
  const draft = ReturnDraft.parse(JSON.parse(text));
  const hash = deps.hashOf(text);
  return retryStale(async () => {
    const filed = decideFiling({ draft, hash, filed: await deps.filedReturns.list(), by, now });
    const { kind, from, to } = filed;
    const command = { command: 'return.file', subject: job.id, details: { kind, from, to, hash } } as const;
    await deps.filedReturns.save(filed, movementParts(draft), claim(filed, command));
    return filed;
  });
}
