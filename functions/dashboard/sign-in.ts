import { DomainError } from '../../shared/domain/errors.ts';
import { env } from '../../shared/env.ts';
import { authenticate } from '../../shared/http/authentication.ts';
import { viewerOf } from '../../shared/http/dashboard.ts';
import { type Page, type PageRequest, page } from '../../shared/http/page.ts';
import { guard } from '../../shared/pages/dashboard/guard.ts';
import { signInPage } from '../../shared/pages/dashboard/sign-in-page.ts';
import { apiKeys, now, randomText } from '../../shared/runtime.ts';
import { signingSecret } from '../../shared/use-cases/sign-in.ts';
import { parseDashboardForm } from '../../shared/wire/dashboard-form.ts';
import { isSame, sealSession, sessionCookie, sessionSeconds } from '../../shared/wire/dashboard-session.ts';

const deps = { apiKeys: apiKeys(), newSecret: () => randomText(43) };
const maxFormBytes = 4_096;

/** Within the dashboard, or its overview. */
const nextOf = (wanted = ''): string => (/^\/dashboard(\/[\w/-]*)?$/.test(wanted) ? wanted : '/dashboard');

/** GET, POST /dashboard/sign-in, POST /dashboard/sign-out */
export const handler = page(guard.refuse, async (request) => {
  if (request.method === 'GET' || request.method === 'HEAD') return showForm(request);
  if (request.method !== 'POST') throw new DomainError('NOT_FOUND', `There is no ${request.path}.`);
  if (!guard.isSameOrigin(request.headers, env.publicUrl()))
    throw new DomainError('FORBIDDEN', 'This form does not come from a page of this stack.');
  return request.path.endsWith('/sign-out') ? signOut(request) : signIn(request);
});

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
  const { hash: keyHash } = await authenticate(`Bearer ${key}`, 'read', { keys: deps.apiKeys, stage, now: at });
  const expiresAt = new Date(at.getTime() + sessionSeconds * 1_000).toISOString();
  const session = { merchantId: merchant.id, stage, keyHash, nonce: randomText(22), expiresAt };
  return sealSession(session, await signingSecret(deps));
}

async function signOut(request: PageRequest): Promise<Page> {
  const { formToken } = await viewerOf(request);
  if (!isSame(formOf(request).text('token'), formToken))
    throw new DomainError('FORBIDDEN', 'This form does not come from a page of this session.');
  return { ...guard.seeOther('/dashboard/sign-in'), cookies: [sessionCookie('', true), sessionCookie('', false)] };
}
