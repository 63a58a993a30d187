import type { ZeroReason } from '../../domain/checkout/tax.ts';
import type { Document } from '../../domain/documents/document.ts';
import type { VatBreakdown, VatSubtotal } from '../../domain/documents/vat-breakdown.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import type { Locale } from '../../pages/locale.ts';
import { documentTranslator, type TranslateDocument } from '../../texts/texts.ts';
import { percent } from '../../wire/percent.ts';
import { exemptionReasons, reliefNote } from '../document-notes.ts';
import { ublAmounts } from './ubl-amounts.ts';
import { element, textElement, textIf, type XmlElement } from './xml.ts';

export const vatScheme: XmlElement = element('cac:TaxScheme', [textElement('cbc:ID', 'VAT')]);

/** A rate in percent: `0.081` becomes 8.1. Absent outside the scope of the tax. */
export const percentIf = (rate: string | null): XmlElement[] =>
  rate === null ? [] : [textElement('cbc:Percent', String(percent(rate)))];

/**
 * The tax by category and rate, as BG-23 of the standard. If there is a local currency, the total is repeated in it.
 */
export function taxTotals(document: Document, { subtotals }: VatBreakdown, locale: Locale): XmlElement[] {
  const amount = ublAmounts(document);
  const t = documentTranslator(locale);
  return [
    element('cac:TaxTotal', [
      amount('cbc:TaxAmount', document.tax),
      ...subtotals.map((subtotal) =>
        element('cac:TaxSubtotal', [
          amount('cbc:TaxableAmount', subtotal.net),
          amount('cbc:TaxAmount', subtotal.tax),
          element('cac:TaxCategory', [
            textElement('cbc:ID', subtotal.code),
            ...percentIf(subtotal.rate),
            textIf('cbc:TaxExemptionReasonCode', reasonCode(document, subtotal)),
            textIf('cbc:TaxExemptionReason', reasonText(document, subtotal, t)),
            vatScheme,
          ]),
        ]),
      ),
    ]),
    ...localTotal(document),
  ];
}

function localTotal({ kind, localTax }: Document): XmlElement[] {
  if (!localTax) return [];
  const amount = ublAmounts({ kind, currency: localTax.currency });
  return [element('cac:TaxTotal', [amount('cbc:TaxAmount', localTax.tax)])];
}

/**
 * The reason as a code of the list VATEX. Its codes refer to EU law, so it is set only for sellers and places where EU
 * law applies.
 */
function reasonCode({ seller, place }: Document, { code, reasons }: VatSubtotal): string | null {
  if (code === 'AE') return unionCountries.has(place.country) ? 'VATEX-EU-AE' : null;
  const isOutside = code === 'O' && !unionCountries.has(place.country) && reasons.length > 0;
  return isOutside && unionCountries.has(seller.country) ? 'VATEX-EU-O' : null;
}

/** Why no tax is charged, in words; null if tax is charged, or if the rate is zero. */
function reasonText(document: Document, { code, reasons }: VatSubtotal, t: TranslateDocument): string | null {
  if (code === 'S' || code === 'Z') return null;
  return reasons.map((reason) => wordsFor(reason, document, t)).join('; ');
}

function wordsFor(reason: ZeroReason, document: Document, t: TranslateDocument): string {
  if (reason === 'reverse_charge') return reliefNote(document, t) || t('note.untaxed');
  if (reason === 'exempt') return exemptionReasons(document).join('; ') || t('note.untaxed');
  return t('note.untaxed');
}
