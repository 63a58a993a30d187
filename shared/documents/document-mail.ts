import { type Document, isPurchase } from '../domain/documents/document.ts';
import { documentUrlIn } from '../domain/documents/document-address.ts';
import type { Mail, MailedLinks } from '../domain/mail.ts';
import { orderPath } from '../domain/orders/order-link.ts';
import type { LanguageWords } from '../domain/orders/own-words.ts';
import type { Site } from '../domain/site.ts';
import { confirmationHash } from '../domain/withdrawal/confirmation.ts';
import { orderWithdrawPath, withdrawPath } from '../domain/withdrawal/proof-link.ts';
import { functionLabel } from '../pages/legal-labels.ts';
import { findLocale, inLanguage, type Locale } from '../pages/locale.ts';
import { composeMail } from '../pages/mail/compose-mail.ts';
import type { MailLink, MailParts } from '../pages/mail/mail-parts.ts';
import { mailText } from '../pages/mail/mail-text.ts';
import { isolated } from '../pages/mail/mail-words.ts';
import { documentTranslator, movedTranslator, reissueTranslator, type TranslateDocument } from '../texts/texts.ts';
import type { Confirm } from './confirmation-sections.ts';
import { documentView } from './document-view.ts';
import { mailOrder } from './mail/mail-lines.ts';
import { mailedTotal, mailWordsOf } from './mail/words-of-document.ts';

interface MailContext extends MailedLinks {
  site: Site;
  /** Writes the confirmation of a contract. Absent if no mails of purchases are composed. */
  confirm?: Confirm;
  locale: Locale;
  isSandbox: boolean;
  /** The sender's address of the receipts. */
  from: string;
  /** The merchant's own words in the language of the mail; absent if there are none. */
  words?: LanguageWords | undefined;
}

/**
 * Returns a function that composes the mail of a document. It uses the buyer's language, or English if that is unknown.
 */
export const mailComposer =
  ({ from = 'receipts@example.com', mailWords, ...here }: ComposerContext) =>
  async (document: Document, links: MailedLinks): Promise<Mail> => {
    const locale = findLocale(document.buyer.language ?? undefined) ?? 'en';
    const words = links.wordedIn?.includes(locale) ? await mailWords(locale) : undefined;
    return documentMail(document, { ...here, ...links, from, locale, words });
  };

interface ComposerContext extends Pick<MailContext, 'site' | 'isSandbox' | 'confirm'> {
  from: string | undefined;
  /** Reads the merchant's own words of a language. */
  mailWords: (language: string) => Promise<LanguageWords>;
}

/**
 * Returns a function that composes the mail to the old address of an order. It says that the address was corrected, but
 * does not contain the new one.
 */
export const movedComposer =
  ({ isSandbox, from = 'receipts@example.com' }: NoticeContext) =>
  (document: Document): Mail => {
    const locale = findLocale(document.buyer.language ?? undefined) ?? 'en';
    return noticeMail(document, { isSandbox, from, locale, words: movedTranslator(locale), links: [] });
  };

interface NoticeContext {
  isSandbox: boolean;
  from: string | undefined;
}

interface Notice {
  isSandbox: boolean;
  from: string;
  locale: Locale;
  words: ReturnType<typeof movedTranslator>;
  links: readonly MailLink[];
}

/** A short mail to the buyer of a document, with one sentence and one link. */
function noticeMail(
  { brandName, brand = {}, buyer, seller }: Document,
  { isSandbox, from, locale, words, links }: Notice,
): Mail {
  const t = documentTranslator(locale);
  const merchant = isolated(brandName, locale, 100);
  const replyTo = brand.email ?? seller.email;
  const subject = words('subject', { merchant });
  return composeMail(
    {
      locale,
      subject,
      brand: { ...brand, name: brandName },
      preview: subject,
      lead: words('text', { merchant }),
      links,
      after: [
        ...(replyTo ? [t('mail.contact', { email: isolated(replyTo, locale) })] : []),
        ...(isSandbox ? [t('note.sandbox')] : []),
      ],
    },
    { from, to: buyer.email, replyTo },
  );
}

/**
 * Returns a function that composes the mail about a new licence key. It links to the order page, and does not contain
 * the key.
 */
export const newKeyComposer =
  ({ isSandbox, from = 'receipts@example.com' }: NoticeContext) =>
  (document: Document, orderUrl: string): Mail => {
    const locale = findLocale(document.buyer.language ?? undefined) ?? 'en';
    const links = [{ label: documentTranslator(locale)('mail.order'), url: `${orderUrl}&lang=${locale}` }];
    return noticeMail(document, { isSandbox, from, locale, words: reissueTranslator(locale), links });
  };

/** Returns a function that composes the mail of an invented document. Its links lead nowhere. */
export const exampleComposer =
  ({ site, isSandbox, from }: Pick<MailContext, 'site' | 'isSandbox' | 'from'>) =>
  (document: Document, locale: Locale, words?: LanguageWords): Mail => {
    const taxIdUrl = `${site.publicUrl}/invoices/payments/${document.paymentId}/tax-id?token=example`;
    const orderUrl = `${site.publicUrl}${orderPath(document.paymentId)}?secret=example`;
    const ofSale = isPurchase(document) ? { orderUrl, taxIdUrl } : {};
    return documentMail(document, {
      site,
      isSandbox,
      from,
      locale,
      words,
      documentSecret: 'example',
      offersWithdrawal: true,
      ...ofSale,
    });
  };

/**
 * Composes the mail with a buyer's invoice or credit note: the paid or refunded lines, the seller, and the links to the
 * document. It contains the same facts as the document, and the confirmation of a contract with a consumer. Replies go
 * to the brand, or to the seller if the brand has no address.
 */
export function documentMail(document: Document, context: MailContext): Mail {
  const { locale, isSandbox, from } = context;
  const t = documentTranslator(locale);
  const { kind, facts, reason, seller } = documentView(document, { locale, isSandbox });
  const { brandName, brand = {}, buyer } = document;
  const number = isolated(document.number, locale);
  const replyTo = brand.email ?? document.seller.email;
  const { confirmation, confirm } = context;
  const sections = confirmation && confirm?.(document, confirmation, locale);
  const order = mailOrder(document, locale, t);
  const mail = composeMail(
    {
      locale,
      ...mailWordsOf(document, context, t),
      brand: { ...brand, name: brandName },
      preview: `${kind} ${number} · ${mailedTotal(document, locale)}`,
      links: linksTo(document, kind, context, t),
      order,
      facts,
      reason,
      seller,
      last: withdrawalLink(document, context),
      ...(sections && { sections }),
    },
    { from, to: buyer.email, replyTo },
  );
  return sections && confirmation?.isWhole
    ? { ...mail, confirms: confirmationHash(mailText({ ...nothingElse, locale, order, seller, sections })) }
    : mail;
}

/** The empty parts of a mail without a confirmation. */
const nothingElse = { subject: '', brand: { name: '' }, preview: '', lead: '', links: [], after: [] };

/**
 * The link to the withdrawal function, in the words that the law requires. In the mail of a purchase, it leads to this
 * order. In other mails, it leads to the public form, because only the purchase may contain the order's secret.
 */
function withdrawalLink(
  { paymentId, buyer }: Document,
  { site, locale, orderUrl, offersWithdrawal }: MailContext,
): MailParts['last'] {
  if (!offersWithdrawal) return undefined;
  const { words, beside } = functionLabel(locale, buyer.address.country);
  const url = orderUrl
    ? `${site.publicUrl}${orderWithdrawPath(paymentId)}${new URL(orderUrl).search}&lang=${locale}`
    : `${site.publicUrl}${inLanguage(withdrawPath, locale)}`;
  return { label: words, url, beside };
}

function linksTo(document: Document, kind: string, context: MailContext, t: TranslateDocument): MailLink[] {
  const { site, locale, documentSecret, taxIdUrl, orderUrl } = context;
  const address = (of: string, format: 'pdf' | 'html') =>
    documentUrlIn(site, { ...document, kind: of, documentSecret }, { format, lang: locale });
  const pdf = (title: string, one: { kind: string; number: string }): MailLink => ({
    label: t('mail.document', { title, number: isolated(one.number, locale) }),
    url: address(one.kind, 'pdf'),
  });
  return [
    ...(orderUrl ? [{ label: t('mail.order'), url: `${orderUrl}&lang=${locale}` }] : []),
    pdf(kind, document),
    { label: t('mail.page'), url: address(document.kind, 'html') },
    ...(document.creditNote ? [pdf(t('title.credit_note'), { ...document.creditNote, kind: 'CRN' })] : []),
    ...(taxIdUrl ? [{ label: t('mail.tax_id'), url: `${taxIdUrl}&lang=${locale}` }] : []),
  ];
}
