import { keys, type RowKey } from '../keys.ts';

type PaymentOrRefund = { paymentId: string; refundId?: undefined } | { refundId: string; paymentId?: undefined };

/** The rows with which issuing the documents of payments and refunds begins. */
export const sourceRows = (subjects: readonly PaymentOrRefund[]): RowKey[] => [
  ...subjects.map(({ paymentId, refundId }) =>
    refundId === undefined ? keys.payment(paymentId) : keys.refund(refundId),
  ),
  keys.taxRules(),
  keys.brands(),
];
