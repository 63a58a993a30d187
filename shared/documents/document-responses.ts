import type { Site } from '../domain/site.ts';
import { documentCookieName } from '../http/buyer-cookie.ts';
import type { HttpResponse } from '../http/problem.ts';
import { pageHeaders } from '../pages/headers.ts';
import { findLocale, type Locale, negotiateLocale } from '../pages/locale.ts';
import type { OpenedDocument } from '../use-cases/documents/get-document.ts';
import { presentDocument } from '../wire/document.ts';
import { chooseFormat } from './document-format.ts';
import { documentNotice, documentPage } from './document-page.ts';
import { documentStylesHash } from './document-styles.ts';
import { type DocumentView, documentView } from './document-view.ts';

/** Who asks, and how. */
export interface Asking {
  headers: Readonly<Record<string, string | undefined>>;
  query: (name: string) => string | undefined;
}

/** The response; bytes if it is not text. */
interface DocumentResponse {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

export interface Rendering {
  site: Site;
  isSandbox: boolean;
  renderPdf: (view: DocumentView) => Promise<Uint8Array>;
}

/** A document in the requested format and language; by default a PDF in English. */
export async function documentAnswer(
  { document, documentSecret }: OpenedDocument,
  asking: Asking,
  { site, isSandbox, renderPdf }: Rendering,
): Promise<DocumentResponse> {
  const locale = localeOf(asking);
  const view = documentView(document, { locale, isSandbox });
  const format = formatOf(asking);
  if (format === 'json')
    return answer(locale, 'application/json', JSON.stringify(presentDocument(site, documentSecret)(document)));
  if (format === 'html') return page(locale, documentPage(view, pdfAddress(asking, locale)));
  const { headers, body } = answer(locale, 'application/pdf', await renderPdf(view));
  return { headers: { ...headers, 'content-disposition': `inline; filename="${document.number}.pdf"` }, body };
}

/** The address of the PDF, with the secret that opened the page. */
function pdfAddress({ query }: Asking, locale: Locale): string {
  const secret = query('secret');
  const cancellation = query('cancellation') === 'true' ? 'cancellation=true&' : '';
  return `?${secret ? `secret=${encodeURIComponent(secret)}&` : ''}${cancellation}format=pdf&lang=${locale}`;
}

/**
 * The secrets that a reader presents for a payment's documents: one from the address, one from the browser that
 * paid.
 */
export const presentedSecrets =
  ({ query, cookie }: Asking & { cookie: (name: string) => string | undefined }) =>
  (paymentId: string): (string | undefined)[] => [query('secret'), cookie(documentCookieName(paymentId))];

interface Notice {
  merchant: string;
  /** Whether a link can be mailed to the address on a document. */
  mailsLinks: boolean;
}

/** The error page for a person; undefined for a program, which gets the problem itself. */
export function documentRefusal(
  status: number,
  asking: Asking,
  { merchant, mailsLinks }: Notice,
): DocumentResponse | undefined {
  if (formatOf(asking) !== 'html') return undefined;
  const locale = localeOf(asking);
  const kind = status === 404 ? 'missing' : 'failure';
  return page(locale, documentNotice(locale, kind, { merchant, offersMail: status === 404 && mailsLinks }), "'self'");
}

/** The response to a request for a link by mail. It is the same whether or not the document exists. */
export function documentNoticePage(
  asking: Asking,
  { status, kind, merchant }: { status: number; kind: 'missing' | 'failure' | 'sent'; merchant: { name: string } },
): HttpResponse {
  const locale = localeOf(asking);
  const body = documentNotice(locale, kind, { merchant: merchant.name, offersMail: false });
  return { statusCode: status, headers: page(locale, body).headers, body };
}

const localeOf = ({ headers, query }: Asking): Locale =>
  findLocale(query('lang')) ?? negotiateLocale(headers['accept-language']);

const formatOf = ({ headers, query }: Asking) => chooseFormat(query('format'), headers['accept']);

/** Allows only the page's own styles: no scripts, no frames, nothing from other sites. */
const contentPolicy = (formAction: string): string =>
  [
    "default-src 'none'",
    `style-src ${documentStylesHash}`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');

const { 'content-type': _, 'content-security-policy': __, ...safety } = pageHeaders();

const answer = (locale: Locale, type: string, body: string | Uint8Array): DocumentResponse => ({
  headers: {
    ...safety,
    'cache-control': 'private, no-store',
    'content-type': type,
    'content-language': locale,
    vary: 'accept, accept-language',
  },
  body,
});

function page(locale: Locale, body: string, formAction = "'none'"): DocumentResponse & { body: string } {
  const { headers } = answer(locale, 'text/html; charset=utf-8', body);
  return { headers: { ...headers, 'content-security-policy': contentPolicy(formAction) }, body };
}
