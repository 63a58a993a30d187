import type { Document } from '../../domain/document.ts';
import { presentDocument } from '../../wire/document.ts';
import { chooseFormat } from '../../wire/document-format.ts';
import type { Site } from '../../wire/site.ts';
import { pageHeaders } from '../headers.ts';
import { findLocale, type Locale, negotiateLocale } from '../locale.ts';
import { documentNotice, documentPage } from './document-page.ts';
import { documentStylesHash } from './document-styles.ts';
import { type DocumentView, documentView } from './document-view.ts';

/** Who asks, and how. */
export interface Asking {
  headers: Readonly<Record<string, string | undefined>>;
  query: (name: string) => string | undefined;
}

/** What is sent; bytes where it is no text. */
export interface Answer {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

export interface Rendering {
  site: Site;
  isSandbox: boolean;
  renderPdf: (view: DocumentView) => Promise<Uint8Array>;
}

/** A document in the format and the language that were asked for: in PDF and in English where nothing was. */
export async function documentAnswer(
  document: Document,
  asking: Asking,
  { site, isSandbox, renderPdf }: Rendering,
): Promise<Answer> {
  const locale = localeOf(asking);
  const view = documentView(document, { locale, isSandbox });
  const format = formatOf(asking);
  if (format === 'json') return answer(locale, 'application/json', JSON.stringify(presentDocument(site)(document)));
  if (format === 'html') return page(locale, documentPage(view, `?format=pdf&lang=${locale}`));
  const { headers, body } = answer(locale, 'application/pdf', await renderPdf(view));
  return { headers: { ...headers, 'content-disposition': `inline; filename="${document.number}.pdf"` }, body };
}

/** What a person sees of an error; undefined for a program, which gets the problem itself. */
export function documentRefusal(status: number, asking: Asking, merchant: string): Answer | undefined {
  if (formatOf(asking) !== 'html') return undefined;
  const locale = localeOf(asking);
  return page(locale, documentNotice(locale, status === 404 ? 'missing' : 'failure', merchant));
}

const localeOf = ({ headers, query }: Asking): Locale =>
  findLocale(query('lang')) ?? negotiateLocale(headers['accept-language']);

const formatOf = ({ headers, query }: Asking) => chooseFormat(query('format'), headers['accept']);

/** Nothing but the page's own styles: no script, no frame, nothing from elsewhere. */
const contentPolicy = [
  "default-src 'none'",
  `style-src ${documentStylesHash}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const { 'content-type': _, 'content-security-policy': __, ...safety } = pageHeaders();

const answer = (locale: Locale, type: string, body: string | Uint8Array): Answer => ({
  headers: { ...safety, 'content-type': type, 'content-language': locale, vary: 'accept, accept-language' },
  body,
});

function page(locale: Locale, body: string): Answer {
  const { headers } = answer(locale, 'text/html; charset=utf-8', body);
  return { headers: { ...headers, 'content-security-policy': contentPolicy }, body };
}
