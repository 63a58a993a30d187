import type { ErrorCode } from '../../domain/errors.ts';
import { layoutHeaders } from '../layout.ts';
import { inLanguage, type Locale } from '../locale.ts';
import { contextOf, type PageContext, type PageEnvironment, type PageVisit } from '../page-context.ts';
import { noticePage } from './notice-page.ts';

/** The facts about an error that the buyer may see. */
interface PageRefusal {
  status: number;
  code: ErrorCode;
  requestId: string;
}

interface RefusedPage {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

/** Returns a function that shows an error as a page of the merchant, in the buyer's language. */
export const refuseIn =
  (env: PageEnvironment) =>
  (refusal: PageRefusal, request: PageVisit & { path: string }): RefusedPage =>
    refusedPage(contextOf(env, request), refusal, request);

/** An error page. It does not show the details of the error. */
export function refusedPage(
  context: PageContext,
  { status, code, requestId: reference }: PageRefusal,
  { path }: { path: string },
): RefusedPage {
  const answer = (body: string): RefusedPage => ({ statusCode: status, headers: layoutHeaders(context.brand), body });
  if (status === 404) return answer(noticePage(context, 'missing'));
  if (code === 'MERCHANT_NOT_LIVE') return answer(noticePage(context, 'unpayable'));
  const checkoutUrl = checkoutPathIn(path, context.locale);
  if (status >= 500) return answer(noticePage(context, 'failure', { checkoutUrl, reference }));
  return answer(noticePage(context, 'refused', { checkoutUrl }));
}

/** The checkout page of the session in a request's path; undefined if the path names none. */
function checkoutPathIn(path: string, locale: Locale): string | undefined {
  const [, sessionId] = /^\/checkout\/([\w-]{1,100})(?:\/(?:quote|pay|return|change|step|recover))?$/.exec(path) ?? [];
  return sessionId && inLanguage(`/checkout/${sessionId}`, locale);
}
