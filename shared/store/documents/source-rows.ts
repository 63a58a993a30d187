import { keys, type RowKey } from '../keys.ts';
import { readRowsAhead } from '../table/read.ts';
import type { Table } from '../table/table.ts';

type PaymentOrRefund = { paymentId: string; refundId?: undefined } | { refundId: string; paymentId?: undefined };

/** Reads with one call the first rows that are needed to issue the documents of some payments and refunds. */
export const sourceReader =
  (table: () => Table) =>
  <Result>(subjects: readonly PaymentOrRefund[], act: () => Promise<Result>): Promise<Result> =>
    readRowsAhead(table(), sourceRows(subjects), act);

/** The rows with which issuing the documents of payments and refunds begins. */
const sourceRows = (subjects: readonly PaymentOrRefund[]): RowKey[] => [
  ...subjects.map(({ paymentId, refundId }) =>
    refundId === undefined ? keys.payment(paymentId) : keys.refund(refundId),
  ),
  keys.taxRules(),
  keys.brands(),
];
