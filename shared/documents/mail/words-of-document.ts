import { type Document, isFreeOrder, returnsMoney } from '../../domain/documents/document.ts';
import type { LanguageWords } from '../../domain/orders/own-words.ts';
import { formatMoney } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import type { MailParts } from '../../pages/mail/mail-parts.ts';
import { isolated } from '../../pages/mail/mail-words.ts';
import type { DocumentKey, TranslateDocument } from '../../texts/texts.ts';
import { free } from '../document-tables.ts';
import { ownWordsOf } from './own-words.ts';

interface WordsContext {
  locale: Locale;
  isSandbox: boolean;
  words?: LanguageWords | undefined;
}

/** The total that was paid or refunded, without a sign. */
export const mailedTotal = (document: Document, locale: Locale): string =>
  isFreeOrder(document) ? free(locale) : formatMoney(Math.abs(document.gross), document.currency, locale);

/**
 * The words above and below the facts of a mail. Each part is the merchant's, or otherwise ours. What is said about the
 * way of refunded money, and about a sandbox, always stays.
 */
export function mailWordsOf(
  document: Document,
  { locale, isSandbox, words }: WordsContext,
  t: TranslateDocument,
): Pick<MailParts, 'subject' | 'lead' | 'paragraphs' | 'after'> {
  const key = mailKey(document);
  const total = mailedTotal(document, locale);
  const named = {
    merchant: isolated(document.brandName, locale, 100),
    number: isolated(document.number, locale),
    total,
  };
  const { subject, greeting = [], closing } = ownWordsOf(document, words, { locale, total });
  const [lead, ...paragraphs] = greeting;
  return {
    subject: subject ?? t(`${key}.subject`, named),
    lead: lead ?? t(leadOf(document, key), named),
    paragraphs: [...paragraphs, ...(returnsMoney(document) && !isSandbox ? [wayBack(document, locale, t)] : [])],
    after: [...(closing ?? contactOf(document, locale, t)), ...(isSandbox ? [t('note.sandbox')] : [])],
  };
}

function contactOf({ brand, seller }: Document, locale: Locale, t: TranslateDocument): string[] {
  const email = brand?.email ?? seller.email;
  return email ? [t('mail.contact', { email: isolated(email, locale) })] : [];
}

const mailKeys = {
  INV: 'mail.invoice',
  CRN: 'mail.credit_note',
  CAN: 'mail.cancellation',
  RSC: 'mail.credit_note',
} as const;

const mailKey = (document: Document) =>
  document.creditNote ? 'mail.corrected' : isFreeOrder(document) ? 'mail.free' : mailKeys[document.kind];

/** The first sentence. A dispute's document says what the buyer's bank has done, because no money is returned. */
function leadOf({ kind, adjustmentId, isChoice, isFull }: Document, key: ReturnType<typeof mailKey>): DocumentKey {
  if (adjustmentId === undefined) return isFull && kind === 'CRN' ? 'mail.full.text' : `${key}.text`;
  if (kind === 'RSC') return 'mail.rescinded.text';
  return isChoice ? 'note.withdrawn' : 'mail.reinstated.text';
}

/** Payment methods that take money directly from a bank account: `sepa_debit`, `us_bank_account`. */
const isDebit = /_debit$|_bank_account$/;

/** How the refunded money reaches the buyer, and in how many days. */
function wayBack({ card, method }: Document, locale: Locale, t: TranslateDocument): string {
  if (card) return t('mail.to.card', { card: isolated(`${card.network} •••• ${card.lastFour}`, locale) });
  return t(method !== undefined && isDebit.test(method) ? 'mail.to.account' : 'mail.to.method');
}
