import { refuse } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { type ExportJob, type ExportRequest, newExportJob } from '../../domain/reports/export-job.ts';
import { assertNotFiled } from '../../domain/reports/returns/filed-return.ts';
import { isWholeMonth } from '../../domain/reports/returns/period.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import type { ExportJobStore } from '../../store/export-job-store.ts';
import type { FiledReturnStore } from '../../store/filed-return-store.ts';
import { isInUnion } from '../../tax/returns/home-returns.ts';
import { isStatementMonthly } from '../../tax/returns/sales-lists.ts';

export interface CreateExportDeps {
  exportJobs: Pick<ExportJobStore, 'save'>;
  filedReturns: Pick<FiledReturnStore, 'list'>;
  /** The country of the merchant. */
  merchantCountry: string;
  now: () => Date;
  newId: (prefix: 'exp') => string;
}

/** Requests an export. The worker makes its files within some minutes. */
export async function createExport(
  { exportJobs, filedReturns, merchantCountry, now, newId }: CreateExportDeps,
  { request, createdBy }: { request: ExportRequest; createdBy: string },
  claim: Claim<ExportJob>,
): Promise<ExportJob> {
  const job = newExportJob(request, { id: newId('exp'), now: now().toISOString(), createdBy });
  assertOffered(request, merchantCountry);
  assertNotFiled(await filedReturns.list(), request);
  const { id, kind, from, to } = job;
  await exportJobs.save(job, claim(job, { command: 'export.create', subject: id, details: { kind, from, to } }));
  return job;
}

/** Refuses a return that the merchant's country does not have, or does not have for such a period. */
function assertOffered({ kind, ...period }: ExportRequest, merchantCountry: string): void {
  if (kind === 'home' && !isInUnion(merchantCountry))
    throw refuse('INVALID_REQUEST_BODY', 'kind', brokenRule(sentences.return_home));
  if (kind === 'recap' && isStatementMonthly(merchantCountry) && !isWholeMonth(period))
    throw refuse('INVALID_REQUEST_BODY', 'from', brokenRule(sentences.return_monthly));
}
