import { createHash } from 'node:crypto';
import { assertPermitted } from '../domain/access/access.ts';
import { type Commands, commandNamed } from '../domain/access/dashboard-commands.ts';
import { mayOpen } from '../domain/access/dashboard-pages.ts';
import { assertMayLeave } from '../domain/access/left-behind.ts';
import { DomainError, notFound } from '../domain/errors.ts';
import type { Claim, StoredAnswer } from '../domain/idempotency.ts';
import { env } from '../env.ts';
import { type AuditDeps, auditRecords } from '../http/audit.ts';
import { formSlot } from '../http/idempotency/answer-slot.ts';
import { findIn, type IdempotencyRecords, onceIn } from '../http/idempotency/once.ts';
import { type Page, type PageRequest, page } from '../http/page.ts';
import { ruleOf } from '../http/problem.ts';
import { isSame, isSameOrigin } from '../pages/form-guard.ts';
import { seeOther } from '../pages/headers.ts';
import type { ReadAhead, RowKey } from '../store/keys.ts';
import { type DashboardForm, maxDashboardFormBytes, parseDashboardForm } from './form.ts';
import { frameOf } from './frame.ts';
import { deniedPage, refuseVisit } from './guard.ts';
import { languageOf, withLanguage } from './language.ts';
import { type ViewerDeps, viewerOf, viewerRows } from './session/viewer.ts';
import type { FormSubmission, Visit } from './visit.ts';

/** The dependencies that all pages of the dashboard need. */
interface Stack extends ViewerDeps, AuditDeps {
  idempotencyRecords: IdempotencyRecords;
  readAhead: ReadAhead;
  newFormId: () => string;
  /** The secret that signs the cursors of lists; undefined if the stack has no secret yet. */
  cursorSecret: () => Promise<string | undefined>;
}

interface DashboardForms<Declared extends Commands> {
  /** The commands of these pages in the route table, each with the access that it needs. */
  commands: Declared;
  /** The function that carries out each command. */
  run: Readonly<Record<keyof Declared, (submission: FormSubmission) => Page | Promise<Page>>>;
}

export interface DashboardRoutes<Declared extends Commands = Commands> {
  show: (visit: Visit) => Page | Promise<Page>;
  forms?: DashboardForms<Declared>;
  /** The rows that every request to these pages reads. They are read together with the viewer's rows. */
  needs?: (request: PageRequest) => readonly RowKey[];
}

/**
 * Makes the handler for a group of dashboard pages. It checks the session and its key, and whether the viewer may open
 * the page. For a form, it checks the access that the command needs.
 */
export const dashboardIn =
  (stack: () => Stack) =>
  <Declared extends Commands>({ show, forms, needs = () => [] }: DashboardRoutes<Declared>) => {
    const deps = stack();
    return page({
      refuse: refuseVisit,
      answer: (request) =>
        deps.readAhead([...viewerRows(request), ...rowsOf(request, needs)], async () => {
          const visit = await visitOf(deps, request);
          if (isLooking(request)) return withLanguage(request, await shownTo(visit, show));
          if (request.method !== 'POST' || !forms) throw notFound(request.path);
          const submission = await submissionOf(deps, visit);
          return forms.run[permittedCommand(deps, forms.commands, submission)](submission);
        }),
    });
  };

const isLooking = ({ method }: PageRequest): boolean => method === 'GET' || method === 'HEAD';

/** The page, if the viewer may open it. */
const shownTo = (visit: Visit, show: DashboardRoutes['show']): Page | Promise<Page> =>
  mayOpen(visit.viewer, visit.request.path) ? show(visit) : deniedPage(frameOf(visit));

const visitOf = async (deps: Stack, request: PageRequest): Promise<Visit> => ({
  request,
  viewer: await viewerOf(deps, request),
  formId: deps.newFormId(),
  cursorSecret: deps.cursorSecret,
  merchant: env.merchant().name,
  isSandbox: env.stage() === 'sandbox',
  locale: languageOf(request),
});

/**
 * The rows that a request needs. For an invalid request, it has fewer rows. Such a request is refused after the viewer
 * is known.
 */
function rowsOf(request: PageRequest, needs: (request: PageRequest) => readonly RowKey[]): readonly RowKey[] {
  try {
    return needs(request);
  } catch {
    return [];
  }
}

/** The command of a form. Refuses an unknown command, or one that the viewer's key does not allow. */
function permittedCommand<Declared extends Commands>(
  { now }: Stack,
  commands: Declared,
  { form, viewer }: FormSubmission,
): keyof Declared {
  const name = form.text('action');
  const command = commandNamed(commands, name);
  if (command === undefined) throw new DomainError('FORBIDDEN', 'The form sent an unknown command.');
  assertPermitted(viewer, command.needs);
  assertMayLeave(viewer, command.leaves, now());
  return name;
}

/** The posted form. Refuses a form that was not sent by a page of this viewer. */
async function submissionOf(deps: Stack, visit: Visit): Promise<FormSubmission> {
  const { request, viewer } = visit;
  const form = await parseDashboardForm(request.headers['content-type'] ?? '', request.bytes(maxDashboardFormBytes));
  if (!isSameOrigin(request.headers, env.publicUrl()) || !isSame(form.text('token'), viewer.formToken))
    throw new DomainError('FORBIDDEN', 'This form belongs to another session.');
  return { ...visit, form, once: (act, to) => once(deps, { ...visit, form }, act, to) };
}

/** The result, or the form with its errors if the viewer can correct them. */
export async function unlessRefused(
  act: () => Promise<Page>,
  show: (refusal: DomainError) => Page | Promise<Page>,
): Promise<Page> {
  try {
    return await act();
  } catch (error) {
    if (isCorrectable(error)) return show(error);
    throw error;
  }
}

const correctable = [409, 410, 413, 422];

/** Whether an error is a refusal after which the viewer can correct the form. */
export const isCorrectable = (error: unknown): error is DomainError =>
  error instanceof DomainError && correctable.includes(ruleOf(error.code).status);

/**
 * Redirects to the result of a form. If the same form is sent again, even at the same time, it gets the first result.
 */
function once<Result>(
  deps: Stack,
  { request, viewer, form }: Visit & Pick<FormSubmission, 'form'>,
  act: (claim: Claim<Result>) => Promise<Result>,
  to: (result: Result) => string,
): Promise<Page> {
  const { idempotencyRecords: records } = deps;
  const slot = formSlot(fingerprintOf(request, form), deps.now());
  const answers = {
    respond: (result: Result) => seeOther(to(result)),
    keep: (result: Result) => ({ status: 303, body: to(result) }),
    replay: ({ body }: StoredAnswer) => seeOther(body),
    refused: async (error: unknown) => {
      const earlier = await findIn(slot, records);
      if (earlier?.answer) return seeOther(earlier.answer.body);
      throw error;
    },
  };
  return onceIn(slot, { records, answers }, (kept) =>
    act((result, ...done) => [...kept(result), ...done.flatMap((one) => auditRecords(deps, viewer.actor, one))]),
  );
}

/** The fingerprint of a form. A form for another page or with other fields is a different form. */
function fingerprintOf({ path }: PageRequest, form: DashboardForm): string {
  const fields = form.fields.filter(([name]) => name !== 'token');
  const hash = createHash('sha256').update(JSON.stringify([path, fields]));
  return hash.update(form.file('image') ?? '').digest('hex');
}
