import { SeriesAuditQuery } from '../../../shared/wire/documents/document.ts';
import { AdjustmentInput } from '../../../shared/wire/payments/dispute-adjustment.ts';
import { DisputeQuery } from '../../../shared/wire/payments/dispute-list.ts';
import { PaymentQuery } from '../../../shared/wire/payments/payment-list.ts';
import { RefundQuery } from '../../../shared/wire/payments/refund-list.ts';
import { RefundInput } from '../../../shared/wire/payments/refund-request.ts';
import { PayoutQuery } from '../../../shared/wire/payouts/payout-list.ts';
import type { Operations } from '../operation.ts';

const refundable = [
  'NOT_FOUND',
  'CONFLICT',
  'PAYMENT_NOT_SUCCEEDED',
  'PAYMENT_DISPUTED',
  'PAYMENT_ALREADY_REFUNDED',
  'NOTHING_TO_REFUND',
  'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED',
  'PARTIAL_REFUND_NOT_ALLOWED',
  'REFUND_WINDOW_EXPIRED',
  'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT',
  'DUPLICATE_LINE_ITEMS_IN_REQUEST',
  'LINE_ITEM_NOT_FOUND',
  'LINE_ITEM_FULLY_REFUNDED',
  'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH',
  'LINE_ITEM_REFUND_AMOUNT_TOO_LOW',
  'INVALID_REQUEST_PARAMETERS',
] as const;

/** The errors for a wrong API key. No key is needed here, but a wrong one is refused. */
const badKey = ['UNAUTHORIZED', 'WRONG_MODE', 'MERCHANT_NOT_LIVE'] as const;

const files = ['application/pdf', 'text/html', 'application/xml'];

const whoReads =
  'For an API key, for the browser that paid, and for links with a `secret`. As PDF, HTML, JSON or XML (UBL by EN 16931): `format` decides, or else the `Accept` header.';

/** The operations on payments, refunds and their documents. */
export const paymentOperations: Operations = {
  'payments/list-payments': {
    summary: 'List payments',
    description: 'Lists payments, newest first, with filters.',
    query: PaymentQuery,
    answer: 'PaymentPage',
  },
  'payments/get-payment': {
    summary: 'Get a payment',
    description:
      'Answers a payment with its refunds and disputes. Only keys with write access read its `next_action` and `order_url`.',
    answer: 'Payment',
  },
  'payments/list-line-items': {
    summary: 'List the line items of a payment',
    description: 'Answers what was sold, the tax of each line, and what can still be refunded of it.',
    answer: 'LineItems',
  },
  'payments/get-calculation': {
    summary: 'Explain the tax of a payment',
    description:
      'Answers the inputs and rates that the tax follows from, with their sources, and whether the stored figures still follow from them.',
    answer: 'Calculation',
  },
  'refunds/create-refund': {
    summary: 'Refund a payment',
    description:
      'Refunds the whole rest of a payment, an `amount`, or single `items`. The tax is returned in proportion: any split into parts returns exactly the tax that was charged. Stripe moves KWD, BHD, JOD, OMR and TND in steps of 10 minor units, and MGA of 100: a refund of an amount in between is refused. The refund is `pending` until the processor has paid it out. Send an Idempotency-Key: it makes a repetition safe.',
    body: { RefundInput },
    answer: 'Refund',
    refuses: [...refundable, 'REFUND_LIMIT_EXCEEDED'],
  },
  'refunds/preview-refund': {
    summary: 'Preview a refund',
    description: 'Takes the body of a refund and answers what it would return, line by line. It changes nothing.',
    body: { RefundInput },
    answer: 'RefundPreview',
    refuses: refundable,
  },
  'refunds/list-refunds': {
    summary: 'List refunds',
    description: 'Lists refunds, newest first, with filters.',
    query: RefundQuery,
    answer: 'RefundPage',
  },
  'refunds/get-refund': { summary: 'Get a refund', description: 'Answers a refund.', answer: 'Refund' },
  'disputes/list-disputes': {
    summary: 'List disputes',
    description: 'Lists what buyers’ banks have asked back, newest first.',
    query: DisputeQuery,
    answer: 'DisputePage',
  },
  'disputes/get-dispute': {
    summary: 'Get a dispute',
    description: 'Answers a dispute, with the address where evidence is given.',
    answer: 'Dispute',
  },
  'disputes/choose-ground': {
    summary: 'Choose the ground of a lost dispute',
    description:
      'Books why a lost dispute lowers your tax, once: `uncollectible` changes your returns alone, and `rescinded` also issues a credit note without money. It takes the disputed share off, in the period of the loss. It is never booked by itself. The same ground again changes nothing, and another one is refused unless `replaces` names the booked one: then that one is taken back, in the same period, or in the next return if that is filed. If the money comes back, the adjustment is taken back by itself. A route of ours.',
    body: { AdjustmentInput },
    answer: 'Dispute',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  'payouts/list-payouts': {
    summary: 'List payouts',
    description:
      'Lists what the processor has paid out to your bank account, newest first. The sandbox pays nothing out, so its list is empty.',
    query: PayoutQuery,
    answer: 'PayoutPage',
  },
  'payouts/get-payout-breakup': {
    summary: 'Break up a payout',
    description:
      'Answers what a payout consists of: sales, refunds, disputes, fees, and by name what is not from this stack. All totals together are the payout, to the cent.',
    answer: 'PayoutBreakup',
  },
  'invoices/get-invoice': {
    summary: 'Get the invoice of a payment',
    description: `Answers the invoice of a payment that has succeeded. ${whoReads} With \`confirmation=true\`, answers the confirmation of the contract with a consumer instead, as PDF or HTML: the order, the seller, the buyer’s consents, the instructions about withdrawal, and your texts as they were. With \`document=current\`, answers the corrected invoice if one has replaced the first (\`original\`, the default). With \`adjustment=adj_…\`, answers the credit note of a sale that a lost dispute has undone, or what cancels it.`,
    answer: 'Document',
    files,
    refuses: [...badKey, 'INVALID_QUERY_PARAMS'],
  },
  'invoices/get-credit-note': {
    summary: 'Get the credit note of a refund',
    description: `Answers the credit note of a refund that has succeeded, or its cancellation. ${whoReads}`,
    answer: 'Document',
    files,
    refuses: badKey,
  },
  'invoices/audit-invoices': {
    summary: 'Audit a series of documents',
    description: 'Says whether the numbers of a year have no gap, and which payments have no document.',
    query: SeriesAuditQuery,
    answer: 'DocumentAudit',
  },
};
