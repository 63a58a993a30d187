import type { Claim } from '../../domain/idempotency.ts';
import { type ExportJob, type ExportRequest, newExportJob } from '../../domain/reports/export-job.ts';
import { assertNotFiled } from '../../domain/reports/returns/filed-return.ts';
import type { ExportJobStore } from '../../store/export-job-store.ts';
import type { FiledReturnStore } from '../../store/filed-return-store.ts';

export interface CreateExportDeps {
  exportJobs: Pick<ExportJobStore, 'save'>;
  filedReturns: Pick<FiledReturnStore, 'list'>;
  now: () => Date;
  newId: (prefix: 'exp') => string;
}

/** Requests an export. The worker makes its files within some minutes. */
export async function createExport(
  { exportJobs, filedReturns, now, newId }: CreateExportDeps,
  { request, createdBy }: { request: ExportRequest; createdBy: string },
  claim: Claim<ExportJob>,
): Promise<ExportJob> {
  const job = newExportJob(request, { id: newId('exp'), now: now().toISOString(), createdBy });
  assertNotFiled(await filedReturns.list(), request);
  const { id, kind, from, to } = job;
  await exportJobs.save(job, claim(job, { command: 'export.create', subject: id, details: { kind, from, to } }));
  return job;
}
