/** The id of a payment's invoice: `inv_…`. It follows from the payment's id, before there is a number. */
export const invoiceIdOf = (paymentId: string): string => paymentId.replace(/^pay_/, 'inv_');

/** The id of a refund's credit note: `crn_…`. */
export const creditNoteIdOf = (refundId: string): string => refundId.replace(/^ref_/, 'crn_');

/** The id of what cancels a refund's credit note: `can_…`. */
export const cancellationIdOf = (refundId: string): string => refundId.replace(/^ref_/, 'can_');

/** The refund of a cancellation's id. */
export const cancelledRefundOf = (id: string): string | undefined =>
  id.startsWith('can_') ? id.replace(/^can_/, 'ref_') : undefined;
