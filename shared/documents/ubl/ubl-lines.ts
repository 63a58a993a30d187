import type { Document, DocumentLine } from '../../domain/documents/document.ts';
import type { VatBreakdown, VatCategory } from '../../domain/documents/vat-breakdown.ts';
import { ublAmounts } from './ubl-amounts.ts';
import { percentIf, vatScheme } from './ubl-taxes.ts';
import { element, textElement, type XmlElement } from './xml.ts';

/** UN/ECE recommendation 20: one piece of something. */
const piece = 'C62';

/** The lines in their order. A credit note corrects an amount, so its quantity is one. */
export function ublLines(document: Document, { categories }: VatBreakdown): XmlElement[] {
  return document.lines.map((line, index) => lineOf(document, line, categories[index] as VatCategory, index + 1));
}

function lineOf(document: Document, line: DocumentLine, category: VatCategory, position: number): XmlElement {
  const amount = ublAmounts(document);
  const [name, quantityName] =
    document.kind === 'CRN' ? ['CreditNoteLine', 'CreditedQuantity'] : ['InvoiceLine', 'InvoicedQuantity'];
  const quantity = line.quantity ?? 1;
  return element(`cac:${name}`, [
    textElement('cbc:ID', String(position)),
    textElement(`cbc:${quantityName}`, String(quantity), { unitCode: piece }),
    amount('cbc:LineExtensionAmount', line.net),
    element('cac:Item', [
      textElement('cbc:Name', line.name),
      element('cac:SellersItemIdentification', [textElement('cbc:ID', line.productId)]),
      element('cac:ClassifiedTaxCategory', [
        textElement('cbc:ID', category.code),
        ...percentIf(category.rate),
        vatScheme,
      ]),
    ]),
    price(document, line, quantity),
  ]);
}

/**
 * The net price of all pieces together, and their number: it is exact, where the price of one piece would be rounded
 * (three pieces for 49.99).
 */
function price(document: Document, { net }: DocumentLine, quantity: number): XmlElement {
  return element('cac:Price', [
    ublAmounts(document)('cbc:PriceAmount', net),
    quantity !== 1 && textElement('cbc:BaseQuantity', String(quantity), { unitCode: piece }),
  ]);
}
