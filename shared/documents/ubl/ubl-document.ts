import { type Document, isCredit } from '../../domain/documents/document.ts';
import type { VatBreakdown } from '../../domain/documents/vat-breakdown.ts';
import type { Locale } from '../../pages/locale.ts';
import { documentTranslator } from '../../texts/texts.ts';
import { moneylessNote } from '../document-notes.ts';
import { ublAmounts } from './ubl-amounts.ts';
import { ublLines } from './ubl-lines.ts';
import { ublBuyer, ublSeller } from './ubl-parties.ts';
import { taxTotals } from './ubl-taxes.ts';
import { element, textElement, textIf, writeXml, type XmlElement } from './xml.ts';

const namespaces = (root: 'Invoice' | 'CreditNote') => ({
  xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
  'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
});

export interface UblContext {
  locale: Locale;
  isSandbox: boolean;
  /** The id of the seller's account. It identifies a seller without a VAT id. */
  businessId: string;
}

/**
 * A document as UBL 2.1 by EN 16931. It has the same amounts as the PDF, but a credit note has no minus signs. Unknown
 * optional data is left out.
 */
export function ublDocument(document: Document, breakdown: VatBreakdown, context: UblContext): string {
  const isCreditNote = isCredit(document);
  const root = isCreditNote ? 'CreditNote' : 'Invoice';
  const type = isCreditNote ? textElement('cbc:CreditNoteTypeCode', '381') : textElement('cbc:InvoiceTypeCode', '380');
  return writeXml(
    element(
      root,
      [
        textElement('cbc:CustomizationID', 'urn:cen.eu:en16931:2017'),
        textElement('cbc:ID', document.number),
        textElement('cbc:IssueDate', document.issuedOn),
        type,
        ...notesOf(document, context),
        textElement('cbc:DocumentCurrencyCode', document.currency),
        textIf('cbc:TaxCurrencyCode', document.localTax?.currency),
        ...correctedDocument(document),
        ublSeller(document, breakdown, context.businessId),
        ublBuyer(document, breakdown),
        document.suppliedOn !== undefined &&
          element('cac:Delivery', [textElement('cbc:ActualDeliveryDate', document.suppliedOn)]),
        ...payment(document),
        ...taxTotals(document, breakdown, context.locale),
        totals(document),
        ...ublLines(document, breakdown, context.locale),
      ],
      namespaces(root),
    ),
  );
}

/**
 * The notes of the document: the reason of a refund, or that no money is returned. A sandbox's document also says that
 * it is not valid.
 */
function notesOf(document: Document, { locale, isSandbox }: UblContext): XmlElement[] {
  const t = documentTranslator(locale);
  return [document.reason, isSandbox ? t('note.sandbox') : null, moneylessNote(document, t)].flatMap(
    (note) => textIf('cbc:Note', note) ?? [],
  );
}

function correctedDocument({ cancels, invoice }: Document): XmlElement[] {
  const corrected = cancels ?? invoice;
  if (corrected === null) return [];
  const reference = [textElement('cbc:ID', corrected.number), textElement('cbc:IssueDate', corrected.issuedOn)];
  return [element('cac:BillingReference', [element('cac:InvoiceDocumentReference', reference)])];
}

/** The UNTDID codes for a bank card, and for a method that has no code. */
const means = { card: '48', other: '1' } as const;

/** The means of payment of an invoice. The parties can find the payment by its id. */
function payment({ kind, card, paymentId, gross }: Document): XmlElement[] {
  if (kind !== 'INV' || gross === 0) return [];
  return [
    element('cac:PaymentMeans', [
      textElement('cbc:PaymentMeansCode', card ? means.card : means.other),
      textElement('cbc:PaymentID', paymentId),
      card &&
        element('cac:CardAccount', [
          textElement('cbc:PrimaryAccountNumberID', card.lastFour),
          textElement('cbc:NetworkID', card.network),
        ]),
    ]),
  ];
}

/** The totals. Everything is paid when a document is issued, so the due amount is zero. */
function totals(document: Document): XmlElement {
  const amount = ublAmounts(document);
  return element('cac:LegalMonetaryTotal', [
    amount('cbc:LineExtensionAmount', document.net),
    amount('cbc:TaxExclusiveAmount', document.net),
    amount('cbc:TaxInclusiveAmount', document.gross),
    amount('cbc:PrepaidAmount', document.gross),
    amount('cbc:PayableAmount', 0),
  ]);
}
