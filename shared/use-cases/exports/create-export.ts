import type { Claim } from '../../domain/idempotency.ts';
import { type ExportJob, type ExportRequest, newExportJob } from '../../domain/reports/export-job.ts';
import type { ExportJobStore } from '../../store/export-job-store.ts';

export interface CreateExportDeps {
  exportJobs: Pick<ExportJobStore, 'save'>;
  now: () => Date;
  newId: (prefix: 'exp') => string;
}

/** Requests an export. The worker makes its files within some minutes. */
export async function createExport(
  { exportJobs, now, newId }: CreateExportDeps,
  { request, createdBy }: { request: ExportRequest; createdBy: string },
  claim: Claim<ExportJob>,
): Promise<ExportJob> {
  const job = newExportJob(request, { id: newId('exp'), now: now().toISOString(), createdBy });
  const { id, kind, from, to } = job;
  await exportJobs.save(job, claim(job, { command: 'export.create', subject: id, details: { kind, from, to } }));
  return job;
}
