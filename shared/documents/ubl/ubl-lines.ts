import { type Document, type DocumentLine, isCredit } from '../../domain/documents/document.ts';
import { type LineAllowance, lineAllowance } from '../../domain/documents/line-allowance.ts';
import type { VatBreakdown, VatCategory } from '../../domain/documents/vat-breakdown.ts';
import type { Locale } from '../../pages/locale.ts';
import { translator } from '../../texts/texts.ts';
import { ublAmounts } from './ubl-amounts.ts';
import { percentIf, vatScheme } from './ubl-taxes.ts';
import { element, textElement, type XmlElement } from './xml.ts';

/** The unit "one piece", from UN/ECE recommendation 20. */
const piece = 'C62';

/** The code for a discount, from UNTDID 5189. */
const discountCode = '95';

/** The lines in order. A credit note corrects an amount, so its quantity is one. */
export function ublLines(document: Document, { categories }: VatBreakdown, locale: Locale): XmlElement[] {
  const reason = translator(locale)('order.discount');
  return document.lines.map((line, index) =>
    lineOf(document, line, { category: categories[index] as VatCategory, position: index + 1, reason }),
  );
}

interface Placed {
  category: VatCategory;
  position: number;
  /** The text that names a discount. */
  reason: string;
}

function lineOf(document: Document, line: DocumentLine, { category, position, reason }: Placed): XmlElement {
  const amount = ublAmounts(document);
  const [name, quantityName] = isCredit(document)
    ? ['CreditNoteLine', 'CreditedQuantity']
    : ['InvoiceLine', 'InvoicedQuantity'];
  const quantity = line.quantity ?? 1;
  const allowance = lineAllowance(line, category.rate);
  return element(`cac:${name}`, [
    textElement('cbc:ID', String(position)),
    textElement(`cbc:${quantityName}`, String(quantity), { unitCode: piece }),
    amount('cbc:LineExtensionAmount', line.net),
    allowance ? allowanceOf(document, allowance, reason) : null,
    element('cac:Item', [
      textElement('cbc:Name', line.name),
      element('cac:SellersItemIdentification', [textElement('cbc:ID', line.productId)]),
      element('cac:ClassifiedTaxCategory', [
        textElement('cbc:ID', category.code),
        ...percentIf(category.rate),
        vatScheme,
      ]),
    ]),
    price(document, allowance?.listed ?? line.net, quantity),
  ]);
}

/**
 * The discount of codes on the line, without tax. Price times quantity, minus this discount, is the amount of the line.
 */
function allowanceOf(document: Document, { listed, amount }: LineAllowance, reason: string): XmlElement {
  const inCurrency = ublAmounts(document);
  return element('cac:AllowanceCharge', [
    textElement('cbc:ChargeIndicator', 'false'),
    textElement('cbc:AllowanceChargeReasonCode', discountCode),
    textElement('cbc:AllowanceChargeReason', reason),
    inCurrency('cbc:Amount', amount),
    inCurrency('cbc:BaseAmount', listed),
  ]);
}

/**
 * The net price of all pieces before discounts, and their number. This is exact. The price of one piece would be
 * rounded (three pieces for 49.99).
 */
function price(document: Document, listed: number, quantity: number): XmlElement {
  return element('cac:Price', [
    ublAmounts(document)('cbc:PriceAmount', listed),
    quantity !== 1 && textElement('cbc:BaseQuantity', String(quantity), { unitCode: piece }),
  ]);
}
