/** The id of a payment's invoice: `inv_…`. It follows from the payment's id, before there is a number. */
export const invoiceIdOf = (paymentId: string): string => paymentId.replace(/^pay_/, 'inv_');

/** The id of a refund's credit note: `crn_…`. */
export const creditNoteIdOf = (refundId: string): string => refundId.replace(/^ref_/, 'crn_');

/** The id of what cancels a refund's credit note: `can_…`. */
export const cancellationIdOf = (refundId: string): string => refundId.replace(/^ref_/, 'can_');

/** The id of the new invoice after a correction that a refund books: `cin_…`. */
export const correctedInvoiceIdOf = (refundId: string): string => refundId.replace(/^ref_/, 'cin_');

/** The refund of a corrected invoice's id. */
export const correctingRefundOf = (id: string): string | undefined =>
  id.startsWith('cin_') ? id.replace(/^cin_/, 'ref_') : undefined;

/** The refund of a cancellation's id. */
export const cancelledRefundOf = (id: string): string | undefined =>
  id.startsWith('can_') ? id.replace(/^can_/, 'ref_') : undefined;
