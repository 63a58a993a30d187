import type { Site } from './site.ts';

/** Where a payment's invoice, or a refund's credit note, can be had: whoever knows the id may read it. */
export const documentUrl = (
  site: Site,
  { paymentId, refundId }: { paymentId: string; refundId?: string | null },
): string => `${site.publicUrl}/invoices/${refundId ? `refunds/${refundId}` : `payments/${paymentId}`}`;
