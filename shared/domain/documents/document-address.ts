import type { Site } from '../site.ts';

interface DocumentAddress {
  paymentId: string;
  refundId?: string | null;
  /** With it, the address alone opens the document. Without it, an API key or the browser that paid is needed. */
  documentSecret?: string | null;
}

/** The address of a payment's invoice or a refund's credit note. */
export function documentUrl(site: Site, { paymentId, refundId, documentSecret }: DocumentAddress): string {
  const url = `${site.publicUrl}/invoices/${refundId ? `refunds/${refundId}` : `payments/${paymentId}`}`;
  return documentSecret ? `${url}?secret=${encodeURIComponent(documentSecret)}` : url;
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
