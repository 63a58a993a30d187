/** The id of a payment's invoice: `inv_…`. It follows from the payment's id, before there is a number. */
export const invoiceIdOf = (paymentId: string): string => paymentId.replace(/^pay_/, 'inv_');

/** The id of a refund's credit note: `crn_…`. */
export const creditNoteIdOf = (refundId: string): string => refundId.replace(/^ref_/, 'crn_');
