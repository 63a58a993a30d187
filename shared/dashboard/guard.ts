import type { Page, PageRequest, Refusal } from '../http/page.ts';
import { pageHeaders, seeOther } from '../pages/headers.ts';
import { cookieName, sessionCookie } from './access/session-cookie.ts';
import { noticeOf } from './access/sign-in-page.ts';

const home = { href: '/dashboard', label: 'To the overview' };

const notAllowed =
  'Your key does not allow this, or the form belongs to another session. Keys, webhook secrets and addresses, and tax rules need ' +
  'a key with admin access; “npm run keys -- create --access admin” makes the first one.';

/** An error page, without details of the error. It clears a cookie that is no longer valid. */
export function refuseVisit({ status, code, requestId }: Refusal, request: PageRequest): Page {
  if (code === 'UNAUTHORIZED' || code === 'WRONG_MODE') return signedOut(request);
  if (status === 403) return notice(status, 'Not allowed', notAllowed, home);
  if (status === 404) return notice(status, 'Page not found', 'Check the address, or go to the overview.', home);
  if (status === 413)
    return notice(status, 'Too large', 'An image can have at most 3 MB. Go back and choose a smaller one.', home);
  if (status < 500)
    return notice(status, 'That did not work', 'Nothing was changed. Go back, check the form, and try again.', home);
  return notice(status, 'Something went wrong', `Try again, or report the request id ${requestId}.`, home);
}

const notice = (statusCode: number, ...words: Parameters<typeof noticeOf>): Page => ({
  statusCode,
  headers: pageHeaders(),
  body: noticeOf(...words),
});

/**
 * Redirects a GET to the sign-in page and back again. A posted form must be sent again. A cookie that was not sent
 * may still be valid, because links from other sites do not send it.
 */
function signedOut({ method, path, cookie }: PageRequest): Page {
  const sent = [true, false].filter((isSecure) => cookie(cookieName(isSecure)) !== undefined);
  const cookies = sent.map((isSecure) => sessionCookie('', isSecure));
  const signIn = `/dashboard/sign-in?next=${encodeURIComponent(path.toWellFormed())}`;
  if (method === 'GET' || method === 'HEAD') return { ...seeOther(signIn), cookies };
  const text = 'Your session has ended, or its key was revoked. Nothing was changed.';
  return { ...notice(401, 'You are signed out', text, { href: signIn, label: 'Sign in' }), cookies };
}
