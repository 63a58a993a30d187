import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { assertMayLeave } from '../../domain/access/left-behind.ts';
import { type DomainError, notFound, refuse } from '../../domain/errors.ts';
import { type ExportJob, type ExportRequest, exportKinds, findExportFile } from '../../domain/reports/export-job.ts';
import { daysOfQuarter, quarterOfDay } from '../../domain/reports/returns/period.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import type { Page } from '../../http/page.ts';
import { seeOther } from '../../pages/headers.ts';
import type { ExportJobStore } from '../../store/export-job-store.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type CreateExportDeps, createExport } from '../../use-cases/exports/create-export.ts';
import { isDay } from '../calendar-day.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import type { DashboardForm } from '../form.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { returnsPage } from './returns-page.ts';

interface ReturnPagesDeps extends CreateExportDeps {
  exportJobs: Pick<ExportJobStore, 'list' | 'save'>;
  linkTo: (jobId: string, name: string) => Promise<string>;
}

const home = '/dashboard/returns';

/** Requests tax returns, shows their progress, and lets the merchant download their files. */
export const returnPages = (deps: ReturnPagesDeps): DashboardRoutes<typeof dashboardCommands.returns> => ({
  show: (visit) => {
    const id = visit.request.query('job');
    return id === undefined ? show(deps, visit, {}) : download(deps, visit, id);
  },
  forms: {
    commands: dashboardCommands.returns,
    run: { create: (submission) => create(deps, submission) },
  },
});

interface Shown {
  request?: Record<'kind' | 'from' | 'to', string>;
  refusal?: DomainError;
}

async function show(deps: ReturnPagesDeps, visit: Visit, { request, refusal }: Shown): Promise<Page> {
  const now = deps.now().toISOString();
  const jobs = (await deps.exportJobs.list()).filter(({ expiresAt }) => expiresAt > now);
  const faults = refusal ? faultsOf(refusal, textsOf(dashboardTexts('returns'), visit)) : [];
  return returnsPage(frameOf(visit), { jobs, request: request ?? lastQuarter(now), faults });
}

/** The period that must be declared next. */
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
