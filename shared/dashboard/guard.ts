import { accessOfPage } from '../domain/access/dashboard-pages.ts';
import type { Page, PageRequest, Refusal } from '../http/page.ts';
import { pageHeaders, seeOther } from '../pages/headers.ts';
import { html } from '../pages/html.ts';
import { dashboardTexts } from '../texts/texts.ts';
import { dashboardAnswer, type Frame } from './frame.ts';
import { firstKeyCommand, noticeOf, withCommand, wrongAddressPage } from './gate-page.ts';
import { languageOf } from './language.ts';
import { sectionOf } from './navigation.ts';
import { card } from './parts.ts';
import { cookieName, sessionCookie } from './session/session-cookie.ts';
import { textsOf } from './texts.ts';

/** An error page without details of the error. It deletes a cookie that is no longer valid. */
export function refuseVisit({ status, code, requestId }: Refusal, request: PageRequest): Page {
  if (code === 'UNAUTHORIZED' || code === 'WRONG_MODE') return signedOut(request);
  const locale = languageOf(request);
  const t = textsOf(dashboardTexts('signIn'), { locale });
  const kind = kindOf(status);
  const text = t(`${kind}.text`, kind === 'defect' ? { id: requestId } : {});
  if (kind === 'missing')
    return {
      statusCode: status,
      headers: pageHeaders(),
      body: wrongAddressPage({ title: t('missing.title'), text }, locale),
    };
  const link = { href: '/dashboard', label: t('home') };
  return notice(status, { title: t(`${kind}.title`), text: withCommand(text, firstKeyCommand), link }, locale);
}

/** The page instead of one that the viewer may not open. It says who may. */
export function deniedPage(frame: Frame): Page {
  const t = textsOf(dashboardTexts('frame'), frame);
  const text = t(accessOfPage(frame.path) === 'admin' ? 'closed.admin' : 'closed.write');
  const content = { title: t('closed'), section: sectionOf(frame.path), main: card({}, html`<p>${text}</p>`) };
  return dashboardAnswer(frame, content, { statusCode: 403 });
}

function kindOf(status: number): 'refused' | 'missing' | 'large' | 'throttled' | 'failed' | 'defect' {
  const known = { 403: 'refused', 404: 'missing', 413: 'large', 429: 'throttled' } as const;
  if (status in known) return known[status as keyof typeof known];
  return status < 500 ? 'failed' : 'defect';
}

const notice = (statusCode: number, ...words: Parameters<typeof noticeOf>): Page => ({
  statusCode,
  headers: pageHeaders(),
  body: noticeOf(...words),
});

/**
 * Redirects a GET to the sign-in page, which leads back afterwards. A posted form must be sent again. If no cookie was
 * sent, the browser may still have a valid one, because browsers do not send it with links from other sites.
 */
function signedOut(request: PageRequest): Page {
  const { method, path, cookie } = request;
  const sent = [true, false].filter((isSecure) => cookie(cookieName(isSecure)) !== undefined);
  const cookies = sent.map((isSecure) => sessionCookie('', isSecure));
  const signIn = `/dashboard/sign-in?next=${encodeURIComponent(path.toWellFormed())}`;
  if (method === 'GET' || method === 'HEAD') return { ...seeOther(signIn), cookies };
  const locale = languageOf(request);
  const t = textsOf(dashboardTexts('signIn'), { locale });
  const link = { href: signIn, label: t('title') };
  return { ...notice(401, { title: t('ended.title'), text: t('ended.text'), link }, locale), cookies };
}
