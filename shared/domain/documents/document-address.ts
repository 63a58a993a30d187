import type { Site } from '../site.ts';

interface DocumentAddress {
  paymentId: string;
  refundId?: string | null;
  /** `CAN`: what cancels the refund's credit note; `INV`: the new invoice that came with it. */
  kind?: string;
  /** With it, the address alone opens the document. Without it, an API key or the browser that paid is needed. */
  documentSecret?: string | null;
  /** Absent: the reader's `Accept` decides. */
  format?: 'xml';
}

/** The address of a payment's invoice, a refund's credit note, or what cancels that. */
export function documentUrl(
  site: Site,
  { paymentId, refundId, kind, documentSecret, format }: DocumentAddress,
): string {
  const url = `${site.publicUrl}/invoices/${refundId ? `refunds/${refundId}` : `payments/${paymentId}`}`;
  const query = [
    ...(documentSecret ? [`secret=${encodeURIComponent(documentSecret)}`] : []),
    ...(kind === 'CAN' ? ['cancellation=true'] : []),
    ...(kind === 'INV' && refundId ? ['corrected=true'] : []),
    ...(format ? [`format=${format}`] : []),
  ];
  return query.length > 0 ? `${url}?${query.join('&')}` : url;
}

/** The same address for a person, with a format and a language after the secret. */
export function documentUrlIn(
  site: Site,
  address: DocumentAddress,
  { format, lang }: { format: string; lang: string },
): string {
  const url = documentUrl(site, address);
  return `${url}${url.includes('?') ? '&' : '?'}format=${format}&lang=${lang}`;
}
