import { memberEmail } from '../../domain/access/member.ts';
import { linkSeconds } from '../../domain/access/sign-in-link.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Mailer } from '../../domain/mail.ts';
import { env } from '../../env.ts';
import { hashApiKey } from '../../http/api-key.ts';
import { type AuditDeps, memberRecords } from '../../http/audit.ts';
import type { Page, PageRequest, PageRoute } from '../../http/page.ts';
import { isSameOrigin } from '../../pages/form-guard.ts';
import { seeOther } from '../../pages/headers.ts';
import { html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type ConfirmSignInDeps, confirmSignIn } from '../../use-cases/access/confirm-sign-in.ts';
import { inEqualTime } from '../../use-cases/access/equal-time.ts';
import {
  assertSourceMayAsk,
  type RequestSignInLinkDeps,
  requestSignInLink,
} from '../../use-cases/access/request-sign-in-link.ts';
import type { SignInDeps } from '../../use-cases/access/sign-in.ts';
import { parseDashboardForm } from '../form.ts';
import { gateOf, gatePage } from '../gate-page.ts';
import { refuseVisit } from '../guard.ts';
import { withLanguage } from '../language.ts';
import { assertStageOpen, cookieOf, newSession, nextOf } from '../session/new-session.ts';
import { textsOf } from '../texts.ts';
import { knownBrowserId, knownSeconds, sealBrowser } from './known-browser.ts';
import { linkMailer, type MailFrame } from './member-mail.ts';

export interface LinkPagesDeps extends AuditDeps {
  members: RequestSignInLinkDeps['members'] & ConfirmSignInDeps['members'];
  throttles: RequestSignInLinkDeps['throttles'];
  apiKeys: SignInDeps['apiKeys'];
  dashboardSecrets: SignInDeps['dashboardSecrets'];
  mailer: Mailer | undefined;
  memberMails: MailFrame;
  /** Makes a new token for a link. */
  newToken: () => string;
  newBrowserId: () => string;
  now: () => Date;
  /** The fixed response time in milliseconds. With it, the time does not reveal whether a mail was sent. */
  answerMs: number;
}

const maxFormBytes = 4_096;

/**
 * Handles the request for a sign-in link, and the page of the link. Opening the page changes nothing; its button signs
 * in.
 */
export const linkPages = (deps: LinkPagesDeps): PageRoute => ({
  answer: (request) => (request.path.endsWith('/confirm') ? answerConfirm(deps, request) : answerLink(deps, request)),
  refuse: refuseVisit,
});

/** Refuses a form that comes from another site. */
async function postedForm(request: PageRequest) {
  if (request.method !== 'POST') throw notFound(request.path);
  if (!isSameOrigin(request.headers, env.publicUrl()))
    throw new DomainError('FORBIDDEN', 'This form does not come from a page of this stack.');
  return parseDashboardForm(request.headers['content-type'] ?? '', request.bytes(maxFormBytes));
}

const isRead = ({ method }: PageRequest): boolean => method === 'GET' || method === 'HEAD';

const signInPath = '/dashboard/sign-in';

/** Gives the same answer after the same time for every e-mail address. */
async function answerLink(deps: LinkPagesDeps, request: PageRequest): Promise<Page> {
  if (isRead(request)) return seeOther(signInPath);
  const form = await postedForm(request);
  const email = form.text('email');
  const known = await knownFor(deps, request, email);
  if (known === undefined) await assertSourceMayAsk({ ...deps, hashOf: hashApiKey }, request.source);
  const gate = gateOf(request);
  const browser = browserOf(request) ?? deps.newToken();
  const mailLink = linkMailer(deps.mailer, deps.memberMails, gate.locale);
  const linkRequest = { email, browser, known, next: nextOf(form.text('next')) };
  await inEqualTime(deps.answerMs, 'A link to sign in was not mailed.', () =>
    requestSignInLink({ ...deps, mailLink, hashOf: hashApiKey }, linkRequest),
  );
  const t = textsOf(dashboardTexts('signIn'), gate);
  const main = html`<div class="card" role="status"><p>${t('sent.text')}</p><p class="hint">${t('sent.again')}</p>
<p class="submit"><a class="button second" href="${signInPath}">${t('back')}</a></p></div>`;
  const page = gatePage(gate, { title: t('sent.title'), main, kept: null });
  return { ...page, cookies: [browserCookie(browser, linkSeconds)] };
}

async function answerConfirm(deps: LinkPagesDeps, request: PageRequest): Promise<Page> {
  if (isRead(request)) return withLanguage(request, showButton(request));
  const form = await postedForm(request);
  assertStageOpen();
  const browser = browserOf(request);
  const begin = (holder: string) => newSession(holder, { id: deps.newToken(), at: deps.now() });
  const confirming = { ...deps, newSession: begin, recordsOf: memberRecords(deps), hashOf: hashApiKey };
  const confirmed = await confirmSignIn(confirming, { token: form.text('token'), browser: browser ?? '' });
  if ('refused' in confirmed) return refused(request, confirmed.refused);
  const session = await cookieOf(confirmed.signIn, { ...deps, newSecret: deps.newToken });
  const known = await knownCookie(deps, confirmed.email);
  return { ...seeOther(confirmed.next), cookies: [session, browserCookie('', 0), ...known] };
}

/** The page of a link. It reads no rows. So a program that opens links cannot find out whether a link is valid. */
function showButton(request: PageRequest) {
  const gate = gateOf(request);
  const t = textsOf(dashboardTexts('signIn'), gate);
  const token = request.query('token') ?? '';
  const main = html`<form class="card" method="post" action="${request.path}"><p>${t('confirm.text')}</p>
<input type="hidden" name="token" value="${token}">
<div class="submit"><button class="main">${t('title')}</button></div></form>`;
  return gatePage(gate, { title: t('confirm.title'), main, kept: { token } });
}

function refused(request: PageRequest, why: 'over' | 'elsewhere'): Page {
  const gate = gateOf(request);
  const t = textsOf(dashboardTexts('signIn'), gate);
  const href = why === 'over' ? '/dashboard' : signInPath;
  const main = html`<div class="card" role="alert"><p>${t(`${why}.text`)}</p>
<p class="submit"><a class="button" href="${href}">${t(`${why}.link`)}</a></p></div>`;
  return gatePage(gate, { title: t(`${why}.title`), main, statusCode: why === 'over' ? 410 : 403, kept: null });
}

const isSecure = (): boolean => env.publicUrl().startsWith('https:');
const browserName = (): string => (isSecure() ? '__Host-tillstack-browser' : 'tillstack-browser');

/** The cookie that this browser got when it requested its first link. All later links work in this browser too. */
function browserOf(request: PageRequest): string | undefined {
  const value = request.cookie(browserName());
  return value && /^[A-Za-z0-9]{43}$/.test(value) ? value : undefined;
}

const browserCookie = (value: string, seconds: number): string => cookie(browserName(), value, seconds);

const knownName = (): string => (isSecure() ? '__Host-tillstack-known' : 'tillstack-known');

/** The id of this browser, if the member with this address has signed in with it. */
async function knownFor(deps: LinkPagesDeps, request: PageRequest, typed: string): Promise<string | undefined> {
  const value = request.cookie(knownName());
  const email = memberEmail(typed);
  if (!value || email === undefined) return undefined;
  const secret = (await deps.dashboardSecrets.find())?.secret;
  return secret && knownBrowserId(value, { email, secret, now: deps.now() });
}

/**
 * The cookie that makes this browser known for half a year. It is signed with the secret of the sessions, so with a new
 * secret, all browsers are unknown.
 */
async function knownCookie(deps: LinkPagesDeps, email: string): Promise<string[]> {
  const secret = (await deps.dashboardSecrets.find())?.secret;
  if (!secret) return [];
  const browser = { email, id: deps.newBrowserId(), since: Math.floor(deps.now().getTime() / 1_000) };
  return [cookie(knownName(), sealBrowser(browser, secret), knownSeconds)];
}

const cookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure() ? '; Secure' : ''}`;
