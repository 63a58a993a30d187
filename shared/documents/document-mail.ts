import type { Document } from '../domain/documents/document.ts';
import { documentUrlIn } from '../domain/documents/document-address.ts';
import type { Mail } from '../domain/mail.ts';
import type { Site } from '../domain/site.ts';
import { html } from '../pages/html.ts';
import { findLocale, type Locale } from '../pages/locale.ts';
import { documentTranslator } from './document-strings.ts';
import { formatSigned } from './document-tables.ts';
import { documentView } from './document-view.ts';

interface MailContext {
  site: Site;
  locale: Locale;
  isSandbox: boolean;
  /** Opens the document to the reader of the mail. */
  documentSecret: string;
  /** The address that the receipts come from. */
  from: string;
}

/** Composes the mail of a document in its buyer's language, English where none is known. */
export const mailComposer =
  ({
    from = 'receipts@example.com',
    ...here
  }: Pick<MailContext, 'site' | 'isSandbox'> & { from: string | undefined }) =>
  (document: Document, documentSecret: string): Mail =>
    documentMail(document, {
      ...here,
      from,
      documentSecret,
      locale: findLocale(document.buyer.language ?? undefined) ?? 'en',
    });

/** The mail with a buyer's invoice or credit note: what was paid or refunded, and the link to the PDF. */
export function documentMail(document: Document, { site, locale, isSandbox, documentSecret, from }: MailContext): Mail {
  const t = documentTranslator(locale);
  const { kind } = documentView(document, { locale, isSandbox });
  const { number, brandName: merchant, seller, buyer, currency } = document;
  const total = formatSigned(Math.abs(document.gross), { currency, locale });
  const key = mailKeys[document.kind];
  const texts = [t(`${key}.text`, { merchant, total })];
  const link = {
    label: t('mail.document', { title: kind, number }),
    url: documentUrlIn(site, { ...document, documentSecret }, { format: 'pdf', lang: locale }),
  };
  const after = [
    ...(seller.email ? [t('mail.contact', { email: seller.email })] : []),
    ...(isSandbox ? [t('note.sandbox')] : []),
  ];
  return {
    from: { name: merchant, address: from },
    to: buyer.email,
    replyTo: seller.email,
    subject: t(`${key}.subject`, { number, merchant }),
    text: [...texts, `${link.label}:\n${link.url}`, ...after].join('\n\n'),
    html: mailPage(locale, texts, link, after),
  };
}

const mailKeys = { INV: 'mail.invoice', CRN: 'mail.credit_note', CAN: 'mail.cancellation' } as const;

const mailPage = (
  locale: Locale,
  texts: readonly string[],
  link: { label: string; url: string },
  after: readonly string[],
): string =>
  html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"></head>
<body>
${texts.map(
  (text) => html`<p dir="auto">${text}</p>
`,
)}<p><a href="${link.url}">${link.label}</a></p>
${after.map(
  (text) => html`<p dir="auto">${text}</p>
`,
)}</body>
</html>
`.text;
