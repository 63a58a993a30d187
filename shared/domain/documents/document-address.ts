import type { Site } from '../site.ts';

interface DocumentAddress {
  paymentId: string;
  refundId?: string | null;
  /** The id of the dispute's adjustment that the document is about. */
  adjustmentId?: string | undefined;
  /** `CAN` for the cancellation of the refund's credit note; `INV` for the new invoice issued with it. */
  kind?: string;
  /** Whether it is the confirmation of the contract instead of the payment's invoice. */
  isConfirmation?: boolean;
  /**
   * The secret that opens the document without anything else. Without it, the reader needs an API key or the browser
   * that paid.
   */
  documentSecret?: string | null;
  /** The format; absent if the reader's `Accept` header decides. */
  format?: 'xml';
}

/**
 * The address of a payment's invoice or confirmation, of a refund's credit note or that note's cancellation, or of the
 * document of a dispute's adjustment.
 */
export function documentUrl(
  site: Site,
  { paymentId, refundId, adjustmentId, kind, isConfirmation, documentSecret, format }: DocumentAddress,
): string {
  const url = `${site.publicUrl}/invoices/${refundId ? `refunds/${refundId}` : `payments/${paymentId}`}`;
  const query = [
    ...(documentSecret ? [`secret=${encodeURIComponent(documentSecret)}`] : []),
    ...(adjustmentId ? [`adjustment=${adjustmentId}`] : []),
    ...(kind === 'CAN' && refundId ? ['cancellation=true'] : []),
    ...(kind === 'INV' && refundId ? ['corrected=true'] : []),
    ...(isConfirmation ? ['confirmation=true'] : []),
    ...(format ? [`format=${format}`] : []),
  ];
  return query.length > 0 ? `${url}?${query.join('&')}` : url;
}

/** The address of a document with a format and a language, for a link that a person opens. */
export function documentUrlIn(
  site: Site,
  address: DocumentAddress,
  { format, lang }: { format: string; lang: string },
): string {
  const url = documentUrl(site, address);
  return `${url}${url.includes('?') ? '&' : '?'}format=${format}&lang=${lang}`;
}
