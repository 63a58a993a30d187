import { actorOf } from '../../domain/access/audit.ts';
import { DomainError, hasCode, notFound } from '../../domain/errors.ts';
import { env } from '../../env.ts';
import { type AuditDeps, auditRecords } from '../../http/audit.ts';
import { authenticate } from '../../http/authentication.ts';
import type { Page, PageRequest, PageRoute } from '../../http/page.ts';
import { isSame, isSameOrigin } from '../../pages/form-guard.ts';
import { seeOther } from '../../pages/headers.ts';
import type { Locale } from '../../pages/locale.ts';
import type { ReadAhead } from '../../store/keys.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type EndSessionDeps, endSession } from '../../use-cases/access/end-session.ts';
import type { SignInDeps } from '../../use-cases/access/sign-in.ts';
import { parseDashboardForm } from '../form.ts';
import { faultText } from '../form-faults.ts';
import { gateOf } from '../gate-page.ts';
import { refuseVisit } from '../guard.ts';
import { withLanguage } from '../language.ts';
import { assertStageOpen, cookieOf, newSession, nextOf } from '../session/new-session.ts';
import { sessionCookie } from '../session/session-cookie.ts';
import { type ViewerDeps, viewerOf, viewerRows } from '../session/viewer.ts';
import { textsOf } from '../texts.ts';
import { signInPage } from './sign-in-page.ts';

interface SignInPagesDeps extends SignInDeps, EndSessionDeps, ViewerDeps, AuditDeps {
  apiKeys: SignInDeps['apiKeys'] & ViewerDeps['apiKeys'];
  dashboardSecrets: SignInDeps['dashboardSecrets'] & ViewerDeps['dashboardSecrets'];
  signIns: EndSessionDeps['signIns'] & ViewerDeps['signIns'];
  now: () => Date;
  newSessionId: () => string;
  /** Whether members can request a sign-in link by mail. */
  mailsLinks: () => boolean;
  readAhead: ReadAhead;
}

const maxFormBytes = 4_096;

/** Handles sign-in with an API key, and sign-out. */
export const signInPages = (deps: SignInPagesDeps): PageRoute => ({
  answer: (request) => deps.readAhead(viewerRows(request), () => answer(deps, request)),
  refuse: refuseVisit,
});

async function answer(deps: SignInPagesDeps, request: PageRequest): Promise<Page> {
  if (request.method === 'GET' || request.method === 'HEAD') return showForm(deps, request);
  if (request.method !== 'POST') throw notFound(request.path);
  if (!isSameOrigin(request.headers, env.publicUrl()))
    throw new DomainError('FORBIDDEN', 'This form does not come from this stack’s sign-in page.');
  return request.path.endsWith('/sign-out') ? signOut(deps, request) : signIn(deps, request);
}

const view = ({ mailsLinks }: SignInPagesDeps, request: PageRequest, next: string) => ({
  ...gateOf(request),
  path: '/dashboard/sign-in',
  next,
  oneClick: env.oneClickSignIn(),
  mailsLinks: mailsLinks(),
});

async function showForm(deps: SignInPagesDeps, request: PageRequest): Promise<Page> {
  const next = nextOf(request.query('next'));
  return viewerOf(deps, request).then(
    () => seeOther(next),
    (error) => {
      if (hasCode(error, 'UNAUTHORIZED')) return withLanguage(request, signInPage(view(deps, request, next)));
      throw error;
    },
  );
}

const formOf = (request: PageRequest) =>
  parseDashboardForm(request.headers['content-type'] ?? '', request.bytes(maxFormBytes));

async function signIn(deps: SignInPagesDeps, request: PageRequest): Promise<Page> {
  const form = await formOf(request);
  const next = nextOf(form.text('next'));
  try {
    return { ...seeOther(next), cookies: [await startSession(deps, form.text('key'))] };
  } catch (error) {
    if (!hasCode(error, 'UNAUTHORIZED', 'WRONG_MODE', 'MERCHANT_NOT_LIVE')) throw error;
    const shown = view(deps, request, next);
    return signInPage({ ...shown, fault: faultOf(error, form.text('key'), shown.locale), statusCode: 401 });
  }
}

function faultOf(error: DomainError, key: string, locale: Locale): string {
  const t = textsOf(dashboardTexts('signIn'), { locale });
  if (key === '') return t('key.missing');
  return faultText(error, t);
}

async function startSession(deps: SignInPagesDeps, key: string): Promise<string> {
  assertStageOpen();
  const at = deps.now();
  const known = await authenticate(`Bearer ${key}`, 'read', { keys: deps.apiKeys, stage: env.stage(), now: at });
  const session = newSession(known.hash, { id: deps.newSessionId(), at });
  const started = { command: 'session.start' as const, subject: session.id, details: {} };
  await deps.signIns.save(session, auditRecords(deps, actorOf(known, 'dashboard'), started));
  return cookieOf(session, deps);
}

async function signOut(deps: SignInPagesDeps, request: PageRequest): Promise<Page> {
  const viewer = await viewerOf(deps, request);
  if (!isSame((await formOf(request)).text('token'), viewer.formToken))
    throw new DomainError('FORBIDDEN', 'This form belongs to another session.');
  const { holder, sessionId: id, actor } = viewer;
  await endSession(deps, { holder, id }, (_, command) => auditRecords(deps, actor, command));
  return { ...seeOther('/dashboard/sign-in'), cookies: [sessionCookie('', true), sessionCookie('', false)] };
}
