import type { Document } from '../domain/documents/document.ts';
import { documentUrlIn } from '../domain/documents/document-address.ts';
import type { Mail } from '../domain/mail.ts';
import type { Site } from '../domain/site.ts';
import { findLocale, type Locale } from '../pages/locale.ts';
import { composeMail } from '../pages/mail/compose-mail.ts';
import type { MailLink } from '../pages/mail/mail-parts.ts';
import { isolated } from '../pages/mail/mail-words.ts';
import { documentTranslator, type TranslateDocument } from '../texts/texts.ts';
import { formatSigned } from './document-tables.ts';
import { documentView } from './document-view.ts';
import { mailOrder } from './mail-lines.ts';

interface MailContext {
  site: Site;
  locale: Locale;
  isSandbox: boolean;
  /** The link with which the reader opens the document. */
  documentSecret: string;
  /** The link for adding a tax id; absent if the document has one, or is no invoice. */
  taxIdUrl?: string | undefined;
  /** The sender's address of the receipts. */
  from: string;
}

/** Composes the mail of a document in its buyer's language, or in English if it is unknown. */
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

/** Composes the mail of an invented document. Its links lead nowhere. */
export const exampleComposer =
  ({ site, isSandbox, from }: Pick<MailContext, 'site' | 'isSandbox' | 'from'>) =>
  (document: Document, locale: Locale): Mail => {
    const taxIdUrl = `${site.publicUrl}/invoices/payments/${document.paymentId}/tax-id?token=example`;
    const offered = document.kind === 'INV' && !document.refundId ? taxIdUrl : undefined;
    return documentMail(document, { site, isSandbox, from, locale, documentSecret: 'example', taxIdUrl: offered });
  };

/**
 * Composes the mail with a buyer's invoice or credit note: the paid or refunded lines, the seller, and the links to the
 * document. It contains only what the document also says. Replies go to the brand, else to the seller.
 */
export function documentMail(document: Document, context: MailContext): Mail {
  const { locale, isSandbox, from } = context;
  const t = documentTranslator(locale);
  const { kind, facts, reason, seller } = documentView(document, { locale, isSandbox });
  const { brandName, brand = {}, buyer, currency } = document;
  const merchant = isolated(brandName, locale, 100);
  const number = isolated(document.number, locale);
  const total = formatSigned(Math.abs(document.gross), { currency, locale });
  const key = document.creditNote ? 'mail.corrected' : mailKeys[document.kind];
  const replyTo = brand.email ?? document.seller.email;
  return composeMail(
    {
      locale,
      subject: t(`${key}.subject`, { number, merchant }),
      brand: { ...brand, name: brandName },
      preview: `${kind} ${number} · ${total}`,
      lead: t(`${key}.text`, { merchant, total }),
      links: linksTo(document, kind, context, t),
      order: mailOrder(document, locale, t),
      facts,
      reason,
      seller,
      after: [
        ...(replyTo ? [t('mail.contact', { email: isolated(replyTo, locale) })] : []),
        ...(isSandbox ? [t('note.sandbox')] : []),
      ],
    },
    { from, to: buyer.email, replyTo },
  );
}

const mailKeys = { INV: 'mail.invoice', CRN: 'mail.credit_note', CAN: 'mail.cancellation' } as const;

function linksTo(document: Document, kind: string, context: MailContext, t: TranslateDocument): MailLink[] {
  const { site, locale, documentSecret, taxIdUrl } = context;
  const address = (of: string, format: 'pdf' | 'html') =>
    documentUrlIn(site, { ...document, kind: of, documentSecret }, { format, lang: locale });
  const pdf = (title: string, one: { kind: string; number: string }): MailLink => ({
    label: t('mail.document', { title, number: isolated(one.number, locale) }),
    url: address(one.kind, 'pdf'),
  });
  return [
    pdf(kind, document),
    { label: t('mail.page'), url: address(document.kind, 'html') },
    ...(document.creditNote ? [pdf(t('title.credit_note'), { ...document.creditNote, kind: 'CRN' })] : []),
    ...(taxIdUrl ? [{ label: t('mail.tax_id'), url: `${taxIdUrl}&lang=${locale}` }] : []),
  ];
}
