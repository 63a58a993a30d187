import { StaleVersion } from '../../domain/idempotency.ts';
import {
  claimJob,
  draftFileName,
  type ExportJob,
  endJob,
  failJob,
  isOpenJob,
  returnJob,
} from '../../domain/reports/export-job.ts';
import type { ExportJobStore } from '../../store/export-job-store.ts';
import type { Report } from '../webhooks/disable-webhook.ts';
import { type MakeExportDeps, makeExport, TooManyRows } from './make-export.ts';

export interface RunExportsDeps extends MakeExportDeps {
  exportJobs: ExportJobStore;
  /** Stores a file. Replaces one that an earlier try has stored. */
  storeFile: (jobId: string, name: string, text: string) => Promise<number>;
  report: Report;
}

/**
 * Makes the files of open jobs, oldest first. It does as many jobs as there is time for, but at least one. A job is
 * claimed by one worker at a time, and is tried three times.
 */
export async function runExports(deps: RunExportsDeps, hasTime: () => boolean): Promise<void> {
  await deps.firstRegistrations();
  const jobs = await deps.exportJobs.list();
  const open = jobs.toReversed().filter((job) => isOpenJob(job, deps.now().toISOString()));
  for (const [index, job] of open.entries()) {
    if (index > 0 && !hasTime()) return;
    await runUnlessTaken(deps, job);
  }
}

async function runUnlessTaken(deps: RunExportsDeps, job: ExportJob): Promise<void> {
  const save = saving(deps.exportJobs);
  try {
    const claimed = await save(claimJob(job, deps.now().toISOString()));
    if (claimed.status === 'running') await run(deps, claimed, save);
  } catch (error) {
    if (!(error instanceof StaleVersion)) throw error;
  }
}

type Save = (job: ExportJob) => Promise<ExportJob>;

/** Saves the next state of a job, and returns it as stored. */
const saving =
  (jobs: Pick<ExportJobStore, 'save'>): Save =>
  async (job) => {
    await jobs.save(job);
    return { ...job, version: job.version + 1 };
  };

async function run(deps: RunExportsDeps, claimed: ExportJob, save: Save): Promise<void> {
  let job = claimed;
  const progress = async (counted: number) => {
    job = await save({ ...job, counted });
  };
  try {
    const { files, notes, counted, draft } = await makeExport(deps, job, progress);
    const stored: ExportJob['files'] = [];
    for (const { name, text } of files) stored.push({ name, bytes: await deps.storeFile(job.id, name, text) });
    if (draft !== undefined) await deps.storeFile(job.id, draftFileName, draft);
    const made = {
      files: stored,
      notes: [...notes],
      counted,
      ...(draft !== undefined && { isFileable: true as const }),
    };
    await save(endJob(job, made, deps.now().toISOString()));
  } catch (error) {
    if (error instanceof StaleVersion) throw error;
    const now = deps.now().toISOString();
    deps.report('An export failed.', { jobId: job.id, attempt: job.attempts }, error);
    await save(error instanceof TooManyRows ? failJob(job, error.message, now) : returnJob(job, now));
  }
}
