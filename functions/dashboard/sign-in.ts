import { isSame, sealSession, sessionCookie, sessionSeconds } from '../../shared/dashboard/access/session-cookie.ts';
import { signInPage } from '../../shared/dashboard/access/sign-in-page.ts';
import { viewerOf, viewerRows } from '../../shared/dashboard/dashboard.ts';
import { parseDashboardForm } from '../../shared/dashboard/form.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { actorOf } from '../../shared/domain/access/audit.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { env } from '../../shared/env.ts';
import { auditRecords } from '../../shared/http/audit.ts';
import { authenticate } from '../../shared/http/authentication.ts';
import { type Page, type PageRequest, page } from '../../shared/http/page.ts';
import { apiKeys, now, randomText, readAhead, signIns } from '../../shared/runtime.ts';
import { endSession } from '../../shared/use-cases/access/end-session.ts';
import { signingSecret } from '../../shared/use-cases/access/sign-in.ts';

const deps = { apiKeys: apiKeys(), signIns: signIns(), now, newSecret: () => randomText(43) };
const maxFormBytes = 4_096;

/** Within the dashboard, or its overview. */
const nextOf = (wanted = ''): string => (/^\/dashboard(\/[\w/-]*)?$/.test(wanted) ? wanted : '/dashboard');

/** GET, POST /dashboard/sign-in, POST /dashboard/sign-out */
export const handler = page({
  answer: (request) => readAhead(viewerRows(request), () => answer(request)),
  refuse: guard.refuse,
});

async function answer(request: PageRequest): Promise<Page> {
  if (request.method === 'GET' || request.method === 'HEAD') return showForm(request);
  if (request.method !== 'POST') throw new DomainError('NOT_FOUND', `There is no ${request.path}.`);
  if (!guard.isSameOrigin(request.headers, env.publicUrl()))
    throw new DomainError('FORBIDDEN', 'This form does not come from a page of this stack.');
  return request.path.endsWith('/sign-out') ? signOut(request) : signIn(request);
}

const view = (next: string) => ({ merchant: env.merchant().name, isSandbox: env.stage() === 'sandbox', next });

async function showForm(request: PageRequest): Promise<Page> {
  const next = nextOf(request.query('next'));
  return viewerOf(request).then(
    () => guard.seeOther(next),
    (error) => {
      if (error instanceof DomainError && error.code === 'UNAUTHORIZED') return signInPage(view(next));
      throw error;
    },
  );
}

const formOf = (request: PageRequest) =>
  parseDashboardForm(request.headers['content-type'] ?? '', request.bytes(maxFormBytes));

async function signIn(request: PageRequest): Promise<Page> {
  const form = formOf(request);
  const next = nextOf(form.text('next'));
  try {
    const value = await openSession(form.text('key'));
    const cookies = [sessionCookie(value, env.publicUrl().startsWith('https:'))];
    return { ...guard.seeOther(next), cookies };
  } catch (error) {
    if (!(error instanceof DomainError) || !['UNAUTHORIZED', 'WRONG_MODE', 'MERCHANT_NOT_LIVE'].includes(error.code))
      throw error;
    const fault = form.text('key') === '' ? 'Enter an API key.' : error.message;
    return signInPage({ ...view(next), fault, statusCode: 401 });
  }
}

async function openSession(key: string): Promise<string> {
  const [stage, merchant, at] = [env.stage(), env.merchant(), now()];
  if (stage === 'live' && !merchant.live)
    throw new DomainError('MERCHANT_NOT_LIVE', 'This merchant is not live yet; use the sandbox stack.');
  const known = await authenticate(`Bearer ${key}`, 'read', { keys: deps.apiKeys, stage, now: at });
  const expiresAt = new Date(at.getTime() + sessionSeconds * 1_000).toISOString();
  const session = { id: randomText(22), keyHash: known.hash, expiresAt };
  const started = { command: 'session.start' as const, subject: session.id, details: {} };
  const records = auditRecords(actorOf(known, 'dashboard'), started);
  await deps.signIns.save({ ...session, startedAt: at.toISOString(), endedAt: null }, records);
  return sealSession({ ...session, merchantId: merchant.id, stage }, await signingSecret(deps));
}

async function signOut(request: PageRequest): Promise<Page> {
  const viewer = await viewerOf(request);
  if (!isSame(formOf(request).text('token'), viewer.formToken))
    throw new DomainError('FORBIDDEN', 'This form does not come from a page of this session.');
  const by = actorOf({ hash: viewer.hash, name: viewer.keyName }, 'dashboard');
  await endSession(deps, { keyHash: viewer.hash, id: viewer.sessionId }, (_, command) => auditRecords(by, command));
  return { ...guard.seeOther('/dashboard/sign-in'), cookies: [sessionCookie('', true), sessionCookie('', false)] };
}
