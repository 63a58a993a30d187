import type { Document, DocumentBrand } from '../domain/documents/document.ts';
import { isCarried, type NotCarried, vatBreakdownOf } from '../domain/documents/vat-breakdown.ts';
import { DomainError } from '../domain/errors.ts';
import type { Site } from '../domain/site.ts';
import { withdrawPath } from '../domain/withdrawal/proof-link.ts';
import { offersWithdrawal, type WithdrawalSettings } from '../domain/withdrawal/withdrawal-settings.ts';
import { documentCookieName } from '../http/buyer-cookie.ts';
import type { HttpResponse } from '../http/problem.ts';
import { pageHeaders } from '../pages/headers.ts';
import { findLocale, inLanguage, type Locale, negotiateLocale } from '../pages/locale.ts';
import type { OpenedDocument } from '../use-cases/documents/get-document.ts';
import { presentDocument } from '../wire/documents/document.ts';
import { chooseFormat } from './document-format.ts';
import { documentNotice, documentPage, type PageAddresses } from './document-page.ts';
import { documentStylesHash } from './document-styles.ts';
import { type DocumentView, documentView } from './document-view.ts';
import { type UblContext, ublDocument } from './ubl/ubl-document.ts';

/** The reader, the language and the format of a request. */
export interface Asking {
  headers: Readonly<Record<string, string | undefined>>;
  query: (name: string) => string | undefined;
}

/** The response. The body is bytes if it is not text. */
interface DocumentResponse {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

export interface Rendering {
  site: Site;
  brands: { get: () => Promise<{ withdrawal?: WithdrawalSettings | undefined }> };
  isSandbox: boolean;
  renderPdf: (view: DocumentView) => Promise<Uint8Array>;
}

/** A document in the requested format and language; by default a PDF in English. */
export async function documentAnswer(
  { document, documentSecret }: Omit<OpenedDocument, 'payment'>,
  asking: Asking,
  { site, isSandbox, renderPdf, brands }: Rendering,
): Promise<DocumentResponse> {
  const locale = localeOf(asking);
  const format = formatOf(asking);
  if (format === 'json')
    return answer(locale, 'application/json', JSON.stringify(presentDocument(site, documentSecret)(document)));
  if (format === 'xml') return xmlAnswer(document, { locale, isSandbox, businessId: site.businessId });
  return shownAnswer(documentView(document, { locale, isSandbox }), asking, {
    name: document.number,
    addresses: async () => ({
      ...fileAddresses(document, asking, locale),
      withdrawUrl: offersWithdrawal(await brands.get()) ? withdrawUrlIn(site, locale) : null,
    }),
    renderPdf,
  });
}

interface Shown extends Pick<Rendering, 'renderPdf'> {
  /** The name of the PDF file without its extension. */
  name: string;
  /** The addresses of the links on its page. */
  addresses: () => Promise<PageAddresses>;
}

/** The address of the public withdrawal form. It does not open the order, because the link of a document must not. */
export const withdrawUrlIn = (site: Site, locale: Locale): string =>
  `${site.publicUrl}${inLanguage(withdrawPath, locale)}`;

/** The path of the withdrawal form in a language; null if the merchant has switched the function off. */
export const withdrawPathIn = (settings: Parameters<typeof offersWithdrawal>[0], locale: Locale): string | null =>
  offersWithdrawal(settings) ? inLanguage(withdrawPath, locale) : null;

/** The response with a document, as a page or as a PDF. */
export async function shownAnswer(
  view: DocumentView,
  asking: Asking,
  { name, addresses, renderPdf }: Shown,
): Promise<DocumentResponse> {
  const { locale, brand } = view;
  if (formatOf(asking) === 'html')
    return page(locale, documentPage(view, await addresses()), { images: imageSource(brand) });
  const { headers, body } = answer(locale, 'application/pdf', await renderPdf(view));
  return { headers: { ...headers, ...named(`inline; filename="${name}.pdf"`) }, body };
}

/**
 * The response with a document as XML.
 * @throws DomainError if the standard does not support the document
 */
function xmlAnswer(document: Document, context: UblContext): DocumentResponse {
  const breakdown = vatBreakdownOf(document);
  if (typeof breakdown === 'string') throw new DomainError('NOT_FOUND', notCarried[breakdown]);
  const { headers, body } = answer(context.locale, 'application/xml', ublDocument(document, breakdown, context));
  return { headers: { ...headers, ...named(`attachment; filename="${document.number}.xml"`) }, body };
}

const named = (disposition: string) => ({ 'content-disposition': disposition });

const notCarried: Readonly<Record<NotCarried, string>> = {
  three_decimals: 'This document has no XML: EN 16931 has no place for amounts with three decimals.',
  other_taxes:
    'This document has no XML: EN 16931 carries value added taxes with one rate for each line, and no others.',
  no_seller_id: "This document has no XML: EN 16931 wants the seller's tax id, and it has none.",
  no_buyer_id: "This document has no XML: EN 16931 wants the buyer's tax id for a reverse charge, and it has none.",
  tax_alone: 'This document has no XML: its tax is not a rate of its net amount, as EN 16931 wants it.',
};

/**
 * The addresses of the files, with the secret that opened the page. XML is left out if the standard does not support
 * the document.
 */
function fileAddresses(document: Document, asking: Asking, locale: Locale): PageAddresses {
  const which = asking.query('document') === 'current' ? 'document=current' : whichOf(asking);
  const address = (format: 'pdf' | 'xml') => fileAddress(asking, { which, format, lang: locale });
  return { pdf: address('pdf'), xml: isCarried(document) ? address('xml') : null };
}

/** The part of the address that says which document of the payment or refund it is; undefined for the first one. */
function whichOf({ query }: Asking): string | undefined {
  const adjustment = query('adjustment');
  if (adjustment) return `adjustment=${encodeURIComponent(adjustment)}`;
  const one = ['cancellation', 'corrected'].find((name) => query(name) === 'true');
  return one && `${one}=true`;
}

/** The address of another format of the document. It contains the secret that opened the page. */
export function fileAddress(
  { query }: Asking,
  { which, format, lang }: { which: string | undefined; format: 'pdf' | 'xml'; lang: Locale },
): string {
  const secret = query('secret');
  const parts = [secret && `secret=${encodeURIComponent(secret)}`, which, `format=${format}`];
  return `?${[...parts, `lang=${lang}`].filter(Boolean).join('&')}`;
}

/**
 * The secrets that a reader presents for a payment's documents: the one in the address, and the one of the browser that
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

/** The error page for a person. Undefined for a program, which gets a JSON problem. */
export function documentRefusal(
  status: number,
  asking: Asking,
  { merchant, mailsLinks }: Notice,
): DocumentResponse | undefined {
  if (formatOf(asking) !== 'html') return undefined;
  const locale = localeOf(asking);
  const kind = status === 404 ? 'missing' : 'failure';
  const which = [whichOf(asking), `lang=${locale}`].filter(Boolean).join('&');
  const mailAddress = status === 404 && mailsLinks ? `?${which}` : null;
  return page(locale, documentNotice(locale, kind, { merchant, mailAddress }), { formAction: "'self'" });
}

interface MailNotice {
  status: number;
  kind: 'missing' | 'failure' | 'sent';
  merchant: { name: string };
  /** The settings of the withdrawal function; absent if they were not read. */
  brands?: { withdrawal?: WithdrawalSettings | undefined };
}

/** The response to a request for a link by mail. It is the same whether or not the document exists. */
export function documentNoticePage(asking: Asking, { status, kind, merchant, brands = {} }: MailNotice): HttpResponse {
  const locale = localeOf(asking);
  const body = documentNotice(locale, kind, { merchant: merchant.name, withdrawUrl: withdrawPathIn(brands, locale) });
  return { statusCode: status, headers: page(locale, body).headers, body };
}

/** A page about a buyer's tax id: the form, or the result. */
export function taxIdPageOf(asking: Asking, statusCode: number, body: (locale: Locale) => string): HttpResponse {
  const locale = localeOf(asking);
  const text = body(locale);
  return { statusCode, headers: page(locale, text, { formAction: "'self'" }).headers, body: text };
}

export const localeOf = ({ headers, query }: Asking): Locale =>
  findLocale(query('lang')) ?? negotiateLocale(headers['accept-language']);

export const formatOf = ({ headers, query }: Asking) => chooseFormat(query('format'), headers['accept']);

/** The address of the brand's logo; nothing without a logo. */
function imageSource({ logo }: DocumentBrand): string {
  return logo && URL.canParse(logo) ? new URL(logo).origin : '';
}

interface Allowed {
  images?: string;
  formAction?: string;
}

/** The content policy: it allows only the page's own styles and icon, and the brand's logo. */
const contentPolicy = ({ images = '', formAction = "'none'" }: Allowed): string =>
  [
    "default-src 'none'",
    `style-src ${documentStylesHash}`,
    `img-src ${`${images} data:`.trim()}`,
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

function page(locale: Locale, body: string, allowed: Allowed = {}): DocumentResponse & { body: string } {
  const { headers } = answer(locale, 'text/html; charset=utf-8', body);
  return { headers: { ...headers, 'content-security-policy': contentPolicy(allowed) }, body };
}
