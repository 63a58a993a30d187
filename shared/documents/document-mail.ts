import type { Document } from '../domain/documents/document.ts';
import { documentUrlIn } from '../domain/documents/document-address.ts';
import type { Mail } from '../domain/mail.ts';
import type { Site } from '../domain/site.ts';
import { html } from '../pages/html.ts';
import { findLocale, type Locale, languageAttributes } from '../pages/locale.ts';
import { documentTranslator } from './document-strings.ts';
import { formatSigned } from './document-tables.ts';
import { documentView } from './document-view.ts';

interface MailContext {
  site: Site;
  locale: Locale;
  isSandbox: boolean;
  /** Opens the document to the reader of the mail. */
  documentSecret: string;
  /** Where the buyer can add a tax id; absent: the document has one, or is no invoice. */
  taxIdUrl?: string | undefined;
  /** The address that the receipts come from. */
  from: string;
}

/** Composes the mail of a document in its buyer's language, English where none is known. */
export const mailComposer =
  ({
    from = 'receipts@example.com',
    ...here
  }: Pick<MailContext, 'site' | 'isSandbox'> & { from: string | undefined }) =>
  (document: Document, documentSecret: string, taxIdUrl?: string): Mail =>
    documentMail(document, {
      ...here,
      taxIdUrl,
      from,
      documentSecret,
      locale: findLocale(document.buyer.language ?? undefined) ?? 'en',
    });

/** The mail with a buyer's invoice or credit note: what was paid or refunded, and the link to the PDF. */
export function documentMail(document: Document, { site, locale, isSandbox, ...context }: MailContext): Mail {
  const { documentSecret, taxIdUrl, from } = context;
  const t = documentTranslator(locale);
  const { kind } = documentView(document, { locale, isSandbox });
  const { number, brandName: merchant, seller, buyer, currency } = document;
  const total = formatSigned(Math.abs(document.gross), { currency, locale });
  const key = document.creditNote ? 'mail.corrected' : mailKeys[document.kind];
  const texts = [t(`${key}.text`, { merchant, total })];
  const linkTo = (title: string, one: { kind: string; number: string }) => ({
    label: t('mail.document', { title, number: one.number }),
    url: documentUrlIn(site, { ...document, kind: one.kind, documentSecret }, { format: 'pdf', lang: locale }),
  });
  const links = [
    linkTo(kind, document),
    ...(document.creditNote ? [linkTo(t('title.credit_note'), { ...document.creditNote, kind: 'CRN' })] : []),
    ...(taxIdUrl ? [{ label: t('mail.tax_id'), url: `${taxIdUrl}&lang=${locale}` }] : []),
  ];
  const after = [
    ...(seller.email ? [t('mail.contact', { email: seller.email })] : []),
    ...(isSandbox ? [t('note.sandbox')] : []),
  ];
  return {
    from: { name: merchant, address: from },
    to: buyer.email,
    replyTo: seller.email,
    subject: t(`${key}.subject`, { number, merchant }),
    text: [...texts, ...links.map(({ label, url }) => `${label}:\n${url}`), ...after].join('\n\n'),
    html: mailPage(locale, texts, links, after),
  };
}

const mailKeys = { INV: 'mail.invoice', CRN: 'mail.credit_note', CAN: 'mail.cancellation' } as const;

const mailPage = (
  locale: Locale,
  texts: readonly string[],
  links: readonly { label: string; url: string }[],
  after: readonly string[],
): string =>
  html`<!doctype html>
<html${languageAttributes(locale)}>
<head><meta charset="utf-8"></head>
<body>
${texts.map(
  (text) => html`<p dir="auto">${text}</p>
`,
)}${links.map(
  ({ label, url }) => html`<p><a href="${url}">${label}</a></p>
`,
)}${after.map(
  (text) => html`<p dir="auto">${text}</p>
`,
)}</body>
</html>
`.text;
