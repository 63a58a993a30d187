import type { ApiKey } from '../../domain/access/api-key.ts';
import { actorOf } from '../../domain/access/audit.ts';
import { DomainError, hasCode, notFound } from '../../domain/errors.ts';
import { env } from '../../env.ts';
import { auditRecords } from '../../http/audit.ts';
import { authenticate } from '../../http/authentication.ts';
import type { Page, PageRequest, PageRoute } from '../../http/page.ts';
import { isSame, isSameOrigin } from '../../pages/form-guard.ts';
import { seeOther } from '../../pages/headers.ts';
import type { ReadAhead } from '../../store/keys.ts';
import { type EndSessionDeps, endSession } from '../../use-cases/access/end-session.ts';
import { type SignInDeps, signingSecret } from '../../use-cases/access/sign-in.ts';
import { viewerOf, viewerRows } from '../dashboard.ts';
import { parseDashboardForm } from '../form.ts';
import { refuseVisit } from '../guard.ts';
import { sealSession, sessionCookie, sessionSeconds } from './session-cookie.ts';
import { signInPage } from './sign-in-page.ts';

interface SignInPagesDeps extends SignInDeps, EndSessionDeps {
  apiKeys: SignInDeps['apiKeys'] & { find: (hash: string) => Promise<ApiKey | undefined> };
  newSessionId: () => string;
  readAhead: ReadAhead;
}

const maxFormBytes = 4_096;

/** Within the dashboard, or its overview. */
const nextOf = (wanted = ''): string => (/^\/dashboard(\/[\w/-]*)?$/.test(wanted) ? wanted : '/dashboard');

/** Where one signs in with an API key, and out again. */
export const signInPages = (deps: SignInPagesDeps): PageRoute => ({
  answer: (request) => deps.readAhead(viewerRows(request), () => answer(deps, request)),
  refuse: refuseVisit,
});

async function answer(deps: SignInPagesDeps, request: PageRequest): Promise<Page> {
  if (request.method === 'GET' || request.method === 'HEAD') return showForm(request);
  if (request.method !== 'POST') throw notFound(request.path);
  if (!isSameOrigin(request.headers, env.publicUrl()))
    throw new DomainError('FORBIDDEN', 'This form does not come from this stack’s sign-in page.');
  return request.path.endsWith('/sign-out') ? signOut(deps, request) : signIn(deps, request);
}

const view = (next: string) => ({
  merchant: env.merchant().name,
  isSandbox: env.stage() === 'sandbox',
  next,
  oneClick: env.oneClickSignIn(),
});

async function showForm(request: PageRequest): Promise<Page> {
  const next = nextOf(request.query('next'));
  return viewerOf(request).then(
    () => seeOther(next),
    (error) => {
      if (hasCode(error, 'UNAUTHORIZED')) return signInPage(view(next));
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
    const value = await startSession(deps, form.text('key'));
    const cookies = [sessionCookie(value, env.publicUrl().startsWith('https:'))];
    return { ...seeOther(next), cookies };
  } catch (error) {
    if (!hasCode(error, 'UNAUTHORIZED', 'WRONG_MODE', 'MERCHANT_NOT_LIVE')) throw error;
    const fault = form.text('key') === '' ? 'Enter an API key.' : error.message;
    return signInPage({ ...view(next), fault, statusCode: 401 });
  }
}

async function startSession(deps: SignInPagesDeps, key: string): Promise<string> {
  const [stage, merchant, at] = [env.stage(), env.merchant(), deps.now()];
  if (stage === 'live' && !merchant.live)
    throw new DomainError('MERCHANT_NOT_LIVE', 'This merchant is not live yet; use the sandbox stack.');
  const known = await authenticate(`Bearer ${key}`, 'read', { keys: deps.apiKeys, stage, now: at });
  const expiresAt = new Date(at.getTime() + sessionSeconds * 1_000).toISOString();
  const session = { id: deps.newSessionId(), keyHash: known.hash, expiresAt };
  const started = { command: 'session.start' as const, subject: session.id, details: {} };
  const records = auditRecords(actorOf(known, 'dashboard'), started);
  await deps.signIns.save({ ...session, startedAt: at.toISOString(), endedAt: null }, records);
  return sealSession({ ...session, merchantId: merchant.id, stage }, await signingSecret(deps));
}

async function signOut(deps: SignInPagesDeps, request: PageRequest): Promise<Page> {
  const viewer = await viewerOf(request);
  if (!isSame((await formOf(request)).text('token'), viewer.formToken))
    throw new DomainError('FORBIDDEN', 'This form belongs to another session.');
  const by = actorOf({ hash: viewer.hash, name: viewer.keyName }, 'dashboard');
  await endSession(deps, { keyHash: viewer.hash, id: viewer.sessionId }, (_, command) => auditRecords(by, command));
  return { ...seeOther('/dashboard/sign-in'), cookies: [sessionCookie('', true), sessionCookie('', false)] };
}
