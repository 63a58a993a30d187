import type { Site } from '../site.ts';

export interface DocumentAddress {
  paymentId: string;
  refundId?: string | null;
  /** Opens it to whoever has the address; without one it takes an API key, or the browser that paid. */
  documentSecret?: string | null;
}

/** Where a payment's invoice, or a refund's credit note, can be had. */
export function documentUrl(site: Site, { paymentId, refundId, documentSecret }: DocumentAddress): string {
  const url = `${site.publicUrl}/invoices/${refundId ? `refunds/${refundId}` : `payments/${paymentId}`}`;
  return documentSecret ? `${url}?secret=${encodeURIComponent(documentSecret)}` : url;
}

/** The same address for a person: a format and a language, behind the secret. */
export function documentUrlIn(
  site: Site,
  address: DocumentAddress,
  { format, lang }: { format: string; lang: string },
): string {
  const url = documentUrl(site, address);
  return `${url}${url.includes('?') ? '&' : '?'}format=${format}&lang=${lang}`;
}
