import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { assertMayLeave } from '../../domain/access/left-behind.ts';
import { type DomainError, notFound, refuse } from '../../domain/errors.ts';
import { csvFile } from '../../domain/reports/csv.ts';
import { type ExportJob, type ExportRequest, exportKinds, findExportFile } from '../../domain/reports/export-job.ts';
import type { FiledReturn } from '../../domain/reports/returns/filed-return.ts';
import { daysOfQuarter, quarterOfDay } from '../../domain/reports/returns/period.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import type { Page } from '../../http/page.ts';
import { seeOther } from '../../pages/headers.ts';
import type { ExportJobStore } from '../../store/export-job-store.ts';
import type { FiledReturnStore } from '../../store/filed-return-store.ts';
import { isInUnion } from '../../tax/returns/home-returns.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type CreateExportDeps, createExport } from '../../use-cases/exports/create-export.ts';
import { type FileReturnDeps, fileReturn } from '../../use-cases/exports/file-return.ts';
import { isDay } from '../calendar-day.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import type { DashboardForm } from '../form.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import { csvPage } from '../report-csv.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { returnsPage } from './returns-page.ts';

interface ReturnPagesDeps extends CreateExportDeps, FileReturnDeps {
  exportJobs: Pick<ExportJobStore, 'list' | 'save'>;
  filedReturns: FiledReturnStore;
  linkTo: (jobId: string, name: string) => Promise<string>;
}

const home = '/dashboard/returns';

/** Requests tax returns, shows their progress, and lets the merchant download their files. */
export const returnPages = (deps: ReturnPagesDeps): DashboardRoutes<typeof dashboardCommands.returns> => ({
  show: (visit) => {
    const [id, filed] = [visit.request.query('job'), visit.request.query('filed')];
    if (filed !== undefined) return downloadFiled(deps, visit, filed);
    return id === undefined ? show(deps, visit, {}) : download(deps, visit, id);
  },
  forms: {
    commands: dashboardCommands.returns,
    run: { create: (submission) => create(deps, submission), file: (submission) => file(deps, submission) },
  },
});

interface Shown {
  request?: Record<'kind' | 'from' | 'to', string>;
  refusal?: DomainError;
}

async function show(deps: ReturnPagesDeps, visit: Visit, { request, refusal }: Shown): Promise<Page> {
  const now = deps.now().toISOString();
  const [all, filed] = await Promise.all([deps.exportJobs.list(), deps.filedReturns.list()]);
  const jobs = all.filter(({ expiresAt }) => expiresAt > now);
  const faults = refusal ? faultsOf(refusal, textsOf(dashboardTexts('returns'), visit)) : [];
  const kinds = exportKinds.filter((kind) => kind !== 'home' || isInUnion(deps.merchantCountry));
  return returnsPage(frameOf(visit), { kinds, jobs, filed, request: request ?? lastQuarter(now), faults });
}

/** The latest quarter that must be declared. */
function lastQuarter(now: string): Record<'kind' | 'from' | 'to', string> {
  const { from } = daysOfQuarter(quarterOfDay(now.slice(0, 10)));
  const dayBefore = new Date(Date.parse(from) - 1).toISOString().slice(0, 10);
  return { kind: exportKinds[0], ...daysOfQuarter(quarterOfDay(dayBefore)) };
}

/** Redirects to a signed address of the bucket that is valid for a minute. */
async function download(deps: ReturnPagesDeps, { request, viewer }: Visit, id: string): Promise<Page> {
  const name = request.query('file') ?? '';
  const job = (await deps.exportJobs.list()).find((one) => one.id === id);
  const now = deps.now();
  const file = findExportFile(job, name, now.toISOString());
  if (!file) throw notFound('file', name);
  assertMayLeave(viewer, 'file_address', now);
  return seeOther(await deps.linkTo(id, file.name));
}

/** The file of a filed return, with its boxes or with their movements. */
async function downloadFiled(deps: ReturnPagesDeps, { request }: Visit, kind: string): Promise<Page> {
  const from = request.query('from') ?? '';
  const filed = (await deps.filedReturns.list()).find((one) => one.kind === kind && one.from === from);
  if (!filed) throw notFound('file', `${kind} ${from}`);
  const name = `${kind}-${filed.from}-${filed.to}-filed`;
  if (request.query('part') !== 'movements') return csvPage(`${name}.csv`, filed.boxes);
  const rows: string[][] = [];
  for await (const { counted } of deps.filedReturns.movementsOf(filed))
    rows.push(...counted.map((key) => key.split(' ')));
  return csvPage(`${name}-movements.csv`, csvFile(['kind', 'id'], rows));
}

/** Marks a finished return as filed. */
function file(deps: ReturnPagesDeps, submission: FormSubmission): Promise<Page> {
  const { form, viewer } = submission;
  return unlessRefused(
    () =>
      submission.once<FiledReturn>(
        (claim) => fileReturn(deps, { jobId: form.text('job'), by: viewer.keyName }, claim),
        () => `${home}?done=saved`,
      ),
    (refusal) => show(deps, submission, { refusal }),
  );
}

function create(deps: ReturnPagesDeps, submission: FormSubmission): Promise<Page> {
  const { form, viewer } = submission;
  const request = { kind: form.text('kind'), from: form.text('from'), to: form.text('to') };
  return unlessRefused(
    async () => {
      const parsed = requestOf(form);
      return submission.once<ExportJob>(
        (claim) => createExport(deps, { request: parsed, createdBy: viewer.keyName }, claim),
        () => `${home}?done=requested`,
      );
    },
    (refusal) => show(deps, submission, { request, refusal }),
  );
}

function requestOf(form: DashboardForm): ExportRequest {
  const kind = exportKinds.find((known) => known === form.text('kind'));
  if (kind === undefined) throw refuse('INVALID_REQUEST_BODY', 'kind', brokenRule(sentences.return_kind));
  const [from, to] = [form.text('from'), form.text('to')];
  if (!isDay(from)) throw refuse('INVALID_REQUEST_BODY', 'from', brokenRule(sentences.return_from));
  if (!isDay(to)) throw refuse('INVALID_REQUEST_BODY', 'to', brokenRule(sentences.return_to));
  return { kind, from, to };
}
