import { createHash } from 'node:crypto';
import { assertPermitted } from '../domain/access/access.ts';
import { actorOf, memberActor } from '../domain/access/audit.ts';
import { type Commands, commandNamed } from '../domain/access/dashboard-commands.ts';
import { sessionsSince, takesFormer } from '../domain/access/dashboard-secret.ts';
import { assertMayLeave } from '../domain/access/left-behind.ts';
import { isMemberId, maySignIn, rightsOfRole } from '../domain/access/member.ts';
import { findMember } from '../domain/access/member-list.ts';
import { isOpen } from '../domain/access/sign-in.ts';
import { DomainError, notFound } from '../domain/errors.ts';
import type { Claim, StoredAnswer } from '../domain/idempotency.ts';
import { env } from '../env.ts';
import { auditRecords } from '../http/audit.ts';
import { assertAllowed } from '../http/authentication.ts';
import { formSlot } from '../http/idempotency/answer-slot.ts';
import { findIn, onceIn } from '../http/idempotency/once.ts';
import { type Page, type PageRequest, page } from '../http/page.ts';
import { ruleOf } from '../http/problem.ts';
import { isSame, isSameOrigin } from '../pages/form-guard.ts';
import { seeOther } from '../pages/headers.ts';
import { keys, type RowKey } from '../store/keys.ts';
import {
  apiKeys,
  dashboardSecrets,
  idempotencyRecords,
  members,
  now,
  randomText,
  readAhead,
  signIns,
} from '../wiring/runtime.ts';
import { type DashboardForm, maxDashboardFormBytes, parseDashboardForm } from './form.ts';
import { refuseVisit } from './guard.ts';
import { languageOf, withLanguage } from './language.ts';
import { claimedSession, cookieName, type DashboardSession, formTokenOf, unsealSession } from './session-cookie.ts';
import type { FormSubmission, Viewer, Visit } from './visit.ts';

interface DashboardForms<Declared extends Commands> {
  /** The commands that the route table declares for these pages, with the access that each needs. */
  commands: Declared;
  /** What carries out each of them. */
  run: Readonly<Record<keyof Declared, (submission: FormSubmission) => Page | Promise<Page>>>;
}

export interface DashboardRoutes<Declared extends Commands = Commands> {
  show: (visit: Visit) => Page | Promise<Page>;
  forms?: DashboardForms<Declared>;
  /** The rows that every request will read, requested together with the viewer's. */
  needs?: (request: PageRequest) => readonly RowKey[];
}

/** One handler for a group of the dashboard's pages: checks the session and its key, and for a form the access that its command needs. */
export const dashboard = <Declared extends Commands>({ show, forms, needs = () => [] }: DashboardRoutes<Declared>) =>
  page({
    refuse: refuseVisit,
    answer: (request) =>
      readAhead([...viewerRows(request), ...rowsOf(request, needs)], async () => {
        const here = { merchant: env.merchant().name, isSandbox: env.stage() === 'sandbox' };
        const viewer = await viewerOf(request);
        const visit = { request, viewer, formId: randomText(24), ...here, locale: languageOf(request) };
        if (request.method === 'GET' || request.method === 'HEAD') return withLanguage(request, await show(visit));
        if (request.method !== 'POST' || !forms) throw notFound(request.path);
        const submission = await submissionOf(visit);
        return forms.run[permittedCommand(forms.commands, submission)](submission);
      }),
  });

/** The rows of a request. An invalid request only reads fewer rows here. It is refused after its viewer is known. */
function rowsOf(request: PageRequest, needs: (request: PageRequest) => readonly RowKey[]): readonly RowKey[] {
  try {
    return needs(request);
  } catch {
    return [];
  }
}

/** The command of a form. Refuses an undeclared command, and one that the viewer's key does not allow. */
function permittedCommand<Declared extends Commands>(
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

const isSecure = (): boolean => env.publicUrl().startsWith('https:');

/** What `viewerOf` is going to read, by what the cookie claims. */
export function viewerRows(request: PageRequest): RowKey[] {
  const claimed = claimedSession(request.cookie(cookieName(isSecure())) ?? '');
  if (!claimed) return [];
  const { holder, id } = claimed;
  return [keys.dashboardSecret(), isMemberId(holder) ? keys.members() : keys.apiKey(holder), keys.signIn(holder, id)];
}

/**
 * Checks the cookie, the secret, the session, and its key or member on every request, so a session that was ended
 * stops working at once, and another role counts at once.
 */
export async function viewerOf(request: PageRequest): Promise<Viewer> {
  const cookie = request.cookie(cookieName(isSecure()));
  const at = now();
  const { session, secret, since } = (cookie && (await unsealed(cookie, at))) || nobody();
  const { holder, id: sessionId } = session;
  const find = isMemberId(holder) ? memberViewer : keyViewer;
  const [viewer, signIn] = await Promise.all([find(holder, { now: at, secret }), signIns().find(holder, sessionId)]);
  if (!signIn || !isOpen(signIn, at.toISOString())) throw new DomainError('UNAUTHORIZED', 'This session has ended.');
  return { ...viewer, holder, sessionId, sessionsSince: since, formToken: formTokenOf(session, secret) };
}

function nobody(): never {
  throw new DomainError('UNAUTHORIZED', 'Nobody is signed in.');
}

interface Unsealed {
  session: DashboardSession;
  /** What has signed it. */
  secret: string;
  /** From when other sessions must have begun to be open. */
  since: string;
}

/** The session of a cookie that this stack has signed. Sessions of version 0.2.0 last as long as they would have. */
async function unsealed(cookie: string, at: Date): Promise<Unsealed | undefined> {
  const here = { merchantId: env.merchant().id, stage: env.stage(), now: at };
  const known = await dashboardSecrets().find();
  const openedBy = (secret: string | undefined): Unsealed | undefined => {
    const session = secret && unsealSession(cookie, secret, here);
    return session ? { session, secret, since: sessionsSince(known) } : undefined;
  };
  const opened = openedBy(known?.secret);
  return opened || !takesFormer(known, at) ? opened : openedBy(await apiKeys().findSessionSecret());
}

type Identity = Omit<Viewer, 'holder' | 'sessionId' | 'sessionsSince' | 'formToken'>;

async function keyViewer(hash: string, { now }: { now: Date }): Promise<Identity> {
  const { name, access, refunds, expiresAt } = assertAllowed(await apiKeys().find(hash), 'read', now);
  return { hash, member: null, keyName: name, access, refunds, expiresAt, actor: actorOf({ hash, name }, 'dashboard') };
}

async function memberViewer(id: string, { now, secret }: { now: Date; secret: string }): Promise<Identity> {
  const member = findMember(await members().list(), id);
  if (!member || !maySignIn(member, now.toISOString()))
    throw new DomainError('UNAUTHORIZED', 'This member was removed.');
  const { email, role } = member;
  const hash = formTokenOf({ id }, secret);
  const rights = { ...rightsOfRole(role), expiresAt: null };
  return { hash, member: { id, role }, keyName: email, ...rights, actor: memberActor(member) };
}

/** Refuses a form that does not come from a page of this viewer. */
async function submissionOf(visit: Visit): Promise<FormSubmission> {
  const { request, viewer } = visit;
  const form = await parseDashboardForm(request.headers['content-type'] ?? '', request.bytes(maxDashboardFormBytes));
  if (!isSameOrigin(request.headers, env.publicUrl()) || !isSame(form.text('token'), viewer.formToken))
    throw new DomainError('FORBIDDEN', 'This form belongs to another session.');
  return { ...visit, form, once: (act, to) => once(visit, form, act, to) };
}

/** The result, or the form again with its faults, if the viewer can correct them. */
export async function unlessRefused(
  act: () => Promise<Page>,
  show: (refusal: DomainError) => Page | Promise<Page>,
): Promise<Page> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DomainError && correctable.includes(ruleOf(error.code).status)) return show(error);
    throw error;
  }
}

const correctable = [409, 410, 413, 422];

/** Redirects to the result. A repeated form, even at the same time, gets the result of the first one. */
function once<Result>(
  { request, viewer }: Visit,
  form: DashboardForm,
  act: (claim: Claim<Result>) => Promise<Result>,
  to: (result: Result) => string,
): Promise<Page> {
  const records = idempotencyRecords();
  const slot = formSlot(fingerprintOf(request, form), now());
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
    act((result, done) => [...kept(result), ...auditRecords(viewer.actor, done)]),
  );
}

/** Another page, or other fields, make another form of it. */
function fingerprintOf({ path }: PageRequest, form: DashboardForm): string {
  const fields = form.fields.filter(([name]) => name !== 'token');
  const hash = createHash('sha256').update(JSON.stringify([path, fields]));
  return hash.update(form.file('image') ?? '').digest('hex');
}
