import * as z from 'zod';
import {
  type Document,
  type DocumentComponent,
  type DocumentKind,
  type DocumentLine,
  documentKinds,
  type RateGroup,
} from '../../domain/documents/document.ts';
import { documentUrl } from '../../domain/documents/document-address.ts';
import type { AuditPlace, DocumentAudit } from '../../domain/documents/document-audit.ts';
import { isCarried } from '../../domain/documents/vat-breakdown.ts';
import { crossRate } from '../../domain/money/exchange-rates.ts';
import type { Site } from '../../domain/site.ts';
import { openCursor, sealCursor, type Walk } from '../cursor.ts';
import { percent } from '../percent.ts';
import { isSortKey } from '../sort-key.ts';
import type { DocumentAnswer } from './document-answer.ts';

/** Writes where an audit continues, as text: `numbers.500`, `subjects.2026-03-01T12:00:00.000Z#pay_…`. */
const presentPlace = (place: AuditPlace): string =>
  'numbersAfter' in place ? `numbers.${place.numbersAfter}` : `subjects.${place.subjectsAfter ?? ''}`;

const isAuditPlace = (text: string): boolean =>
  /^(numbers\.\d{1,9}|subjects\.)$/.test(text) || (text.startsWith('subjects.') && isSortKey(text.slice(9)));

/**
 * Reads where a request continues an audit. Until the next release, it also accepts unsigned places of version 0.2.0.
 */
export function toAuditPlace(cursor: string | undefined, walk: Walk): AuditPlace | undefined {
  if (cursor === undefined) return undefined;
  const text = isAuditPlace(cursor) ? cursor : openCursor(cursor, walk, isAuditPlace);
  const [phase, place = ''] = [text.slice(0, text.indexOf('.')), text.slice(text.indexOf('.') + 1)];
  return phase === 'numbers' ? { numbersAfter: Number(place) } : { subjectsAfter: place || undefined };
}

/** The query of `GET /invoices/audit?series=INV-2026`. */
export const SeriesAuditQuery = z.strictObject({
  series: z
    .string('is required, such as INV-2026')
    .regex(/^(INV|CRN|CAN|RSC)-\d{4}$/, 'must be a kind and a year, such as INV-2026')
    .transform((series) => {
      const [kind = documentKinds[0], year = ''] = series.split('-') as [DocumentKind, string];
      return { kind, year };
    }),
  cursor: z.string().max(200).optional(),
});

export const presentAudit = (
  { series, first, last, count, gaps, counter, isContinuous, ...audit }: DocumentAudit,
  walk: Walk,
): DocumentAnswer<'DocumentAudit'> => ({
  series,
  first,
  last,
  count,
  gaps,
  counter,
  is_continuous: isContinuous,
  missing: audit.missing.map(({ what, subjectId, number }) => ({ what, id: subjectId, number })),
  next_cursor: audit.next && sealCursor(presentPlace(audit.next), walk),
});

const kindNames = {
  INV: 'invoice',
  CRN: 'credit_note',
  CAN: 'credit_note_cancellation',
  RSC: 'dispute_credit_note',
} as const;

/** A document for programs. Its figures are those of the printed document, in minor units. */
export const presentDocument =
  (site: Site, documentSecret: string | null) =>
  (document: Document): DocumentAnswer<'Document'> => ({
    document_id: document.id,
    kind: kindNames[document.kind],
    number: document.number,
    series: document.series,
    serial: document.serial,
    url: documentUrl(site, { ...document, documentSecret }),
    xml_url: isCarried(document) ? documentUrl(site, { ...document, documentSecret, format: 'xml' }) : null,
    payment_id: document.paymentId,
    refund_id: document.refundId,
    ...(document.adjustmentId === undefined ? {} : { adjustment_id: document.adjustmentId }),
    business_id: site.businessId,
    brand_name: document.brandName,
    issued_at: document.issuedAt,
    issued_on: document.issuedOn,
    paid_on: document.paidOn,
    currency: document.currency,
    net_amount: document.net,
    tax: document.tax,
    total_amount: document.gross,
    lines: document.lines.map(presentLine),
    taxes: document.groups.map(presentGroup),
    seller: presentSeller(document),
    buyer: presentBuyer(document),
    place_of_supply: document.place,
    tax_date: document.taxDate,
    exemptions: document.exemptions,
    corrects: document.invoice && { number: document.invoice.number, issued_on: document.invoice.issuedOn },
    cancels: document.cancels ? { number: document.cancels.number, issued_on: document.cancels.issuedOn } : null,
    reason: document.reason,
    ...presentLocalTax(document),
  });

/**
 * The tax in the currency of its country. `fx_rate` is the value of one unit of the sale's currency in that currency.
 */
const presentLocalTax = ({ localTax, currency }: Document) =>
  localTax
    ? {
        local_tax: { currency: localTax.currency, tax: localTax.tax, per_euro: localTax.rates.perEuro },
        fx_rate: crossRate(localTax.rates, { from: currency, to: localTax.currency }),
        fx_date: localTax.rates.date,
        fx_source: localTax.rates.source,
      }
    : { local_tax: null, fx_rate: null, fx_date: null, fx_source: null };

const presentLine = (line: DocumentLine): DocumentAnswer<'DocumentLine'> => ({
  item_id: line.productId,
  name: line.name,
  quantity: line.quantity,
  unit_amount: line.unitAmount,
  net_unit_price: line.netUnitPrice ?? null,
  ...(line.discount === undefined ? {} : { discount_amount: line.discount }),
  tax_inclusive: line.taxInclusive,
  net_amount: line.net,
  tax: line.tax,
  amount: line.gross,
  tax_components: line.components.map(presentComponent),
});

const presentGroup = (group: RateGroup): DocumentAnswer<'DocumentTaxGroup'> => ({
  tax_inclusive: group.taxInclusive,
  net_amount: group.net,
  tax: group.tax,
  amount: group.gross,
  tax_components: group.components.map(presentComponent),
});

const presentComponent = ({
  name,
  jurisdiction,
  rate,
  baseFraction,
  reason,
  amount,
}: DocumentComponent): DocumentAnswer<'DocumentTax'> => ({
  name,
  jurisdiction,
  rate: percent(rate),
  base_fraction: baseFraction,
  amount,
  reason,
});

const presentSeller = ({ seller }: Document): DocumentAnswer<'DocumentSeller'> => ({
  name: seller.name,
  address: seller.address,
  country: seller.country,
  email: seller.email,
  tax_ids: seller.taxIds,
});

const presentBuyer = ({ buyer }: Document): DocumentAnswer<'DocumentBuyer'> => ({
  name: buyer.name,
  business_name: buyer.businessName,
  email: buyer.email,
  address: buyer.address,
  tax_id: buyer.taxId && { id: buyer.taxId.id, format_name: buyer.taxId.formatName },
});
