import { type Document, type DocumentBrand, isCredit, isFreeOrder } from '../domain/documents/document.ts';
import { countryName, formatDate } from '../pages/format.ts';
import type { Locale } from '../pages/locale.ts';
import type { MailSection } from '../pages/mail/mail-parts.ts';
import { type DocumentKey, documentTranslator, type TranslateDocument } from '../texts/texts.ts';
import { documentNotes } from './document-notes.ts';
import { buyerParty, type Party, sellerParty } from './document-parties.ts';
import {
  type LabelledValue,
  linesTable,
  type Total,
  taxesTable,
  totalsOfDocument,
  type ViewTable,
} from './document-tables.ts';

/** A document with texts and amounts that are formatted for a language. The PDF and the page are both made from it. */
export interface DocumentView {
  locale: Locale;
  /** The title of the document: `Invoice`, `Tax invoice`, `Credit note`. */
  kind: string;
  number: string;
  /**
   * When the document was issued. The PDF stores this time and not the current one, so it has the same bytes each time.
   */
  issuedAt: string;
  paper: 'A4' | 'LETTER';
  brandName: string;
  brand: DocumentBrand;
  seller: Party;
  buyer: Party;
  facts: readonly LabelledValue[];
  lines: ViewTable;
  /** The taxed amount at each rate; null if no tax is printed. */
  taxes: ViewTable | null;
  totals: readonly Total[];
  /** The reason of a refund, up to 3,000 characters; null if there is none. */
  reason: LabelledValue | null;
  notes: readonly string[];
  /** Long texts below the notes; absent if there are none. */
  sections?: readonly MailSection[];
  /** The text of the page numbers, with `{page}` and `{pages}`. */
  pageNumbering: string;
}

export function documentView(
  document: Document,
  { locale, isSandbox }: { locale: Locale; isSandbox: boolean },
): DocumentView {
  const t = documentTranslator(locale);
  return {
    locale,
    kind: t(kindOf(document)),
    number: document.number,
    issuedAt: document.issuedAt,
    paper: letterCountries.has(document.seller.country) ? 'LETTER' : 'A4',
    brandName: document.brandName,
    brand: document.brand ?? {},
    seller: sellerParty(document, locale, t),
    buyer: buyerParty(document, locale, t),
    facts: factsOf(document, locale, t),
    lines: linesTable(document, locale, t),
    taxes: taxesTable(document, locale, t),
    totals: totalsOfDocument(document, locale, t),
    reason: document.reason ? { label: t('reason'), value: document.reason } : null,
    notes: documentNotes(document, { isSandbox, locale }, t),
    pageNumbering: t('page'),
  };
}

/** Countries with paper of 8½ by 11 inches. */
const letterCountries = new Set(['CA', 'CL', 'CO', 'MX', 'PH', 'US', 'VE']);

/** The title of the document, which the law of the seller's registration requires. */
function kindOf(document: Document): DocumentKey {
  const { kind, groups, seller, isSimplified } = document;
  if (isCredit({ kind })) return 'title.credit_note';
  if (isFreeOrder(document)) return 'title.free';
  if (kind === 'CAN') return 'title.cancellation';
  const isTaxed = groups.some(({ components }) =>
    components.some(({ jurisdiction, reason }) => jurisdiction === 'AU' && reason === null),
  );
  const isRegistered = seller.taxIds.some(({ country, scheme }) => country === 'AU' && scheme !== 'simplified');
  if (isTaxed && isRegistered) return 'title.tax_invoice';
  return isSimplified ? 'title.simplified' : 'title.invoice';
}

/** The label of the payment day (VAT Directive, art. 226(7)). */
function paidLabel(document: Document): 'refunded' | 'ordered' | 'supplied' | 'paid' {
  const { kind, suppliedOn, paidOn } = document;
  if (kind !== 'INV') return 'refunded';
  if (isFreeOrder(document)) return 'ordered';
  return suppliedOn === paidOn ? 'supplied' : 'paid';
}

function factsOf(document: Document, locale: Locale, t: TranslateDocument): LabelledValue[] {
  const { kind, number, issuedOn, invoice, creditNote, cancels, card, place, paymentId, refundId } = document;
  const date = (day: string) => formatDate(day, locale);
  const corrected = invoice && t('corrects.value', { number: invoice.number, date: date(invoice.issuedOn) });
  const facts: [label: string, value: string | null][] = [
    [t('number'), number],
    [t('issued'), date(issuedOn)],
    [t(paidLabel(document)), movedOn(document, date)],
    [t('cancels'), cancels ? t('corrects.value', { number: cancels.number, date: date(cancels.issuedOn) }) : null],
    [t('corrects'), corrected],
    [
      t('title.credit_note'),
      creditNote ? t('corrects.value', { number: creditNote.number, date: date(creditNote.issuedOn) }) : null,
    ],
    [t('method'), card && kind === 'INV' ? `${card.network} •••• ${card.lastFour}` : null],
    [t('place'), place.country === 'IN' ? [place.region, countryName('IN', locale)].filter(Boolean).join(', ') : null],
    [t(isFreeOrder(document) ? 'order' : 'payment'), paymentId],
    [t('refund'), kind === 'INV' ? null : refundId],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}

/** The day of the payment or refund; null if no money moved. */
const movedOn = ({ kind, isReplaced, paidOn }: Document, date: (day: string) => string): string | null =>
  kind === 'CAN' || kind === 'RSC' || isReplaced ? null : date(paidOn);
