/** The id of a payment's invoice: `inv_…`. It is derived from the payment's id, so it exists before the number. */
export const invoiceIdOf = (paymentId: string): string => paymentId.replace(/^pay_/, 'inv_');

/** The id of a refund's credit note: `crn_…`. */
export const creditNoteIdOf = (refundId: string): string => refundId.replace(/^ref_/, 'crn_');

/** The id of the document that cancels a refund's credit note: `can_…`. */
export const cancellationIdOf = (refundId: string): string => refundId.replace(/^ref_/, 'can_');

/** The id of the credit note of an adjustment, or of the document that cancels it: `rsc_…`. */
export const adjustmentNoteIdOf = (adjustmentId: string): string => adjustmentId.replace(/^adj_/, 'rsc_');

/** The id of the new invoice after a correction that a refund books: `cin_…`. */
export const correctedInvoiceIdOf = (refundId: string): string => refundId.replace(/^ref_/, 'cin_');

/** The refund that belongs to the id of a corrected invoice. */
export const correctingRefundOf = (id: string): string | undefined =>
  id.startsWith('cin_') ? id.replace(/^cin_/, 'ref_') : undefined;

/** The refund that belongs to the id of a cancellation. */
export const cancelledRefundOf = (id: string): string | undefined =>
  id.startsWith('can_') ? id.replace(/^can_/, 'ref_') : undefined;
