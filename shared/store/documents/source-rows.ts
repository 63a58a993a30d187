import { adjustedDisputeOf } from '../../domain/ids.ts';
import { keys, type RowKey } from '../keys.ts';
import { readRowsAhead } from '../table/read.ts';
import type { Table } from '../table/table.ts';

type PaymentOrRefund =
  | { paymentId: string; refundId?: undefined; adjustmentId?: undefined }
  | { refundId: string; paymentId?: undefined; adjustmentId?: undefined }
  | { adjustmentId: string; paymentId?: undefined; refundId?: undefined };

/** Reads the first rows for the documents of some payments and refunds in one call. */
export const sourceReader =
  (table: () => Table) =>
  <Result>(subjects: readonly PaymentOrRefund[], act: () => Promise<Result>): Promise<Result> =>
    readRowsAhead(table(), sourceRows(subjects), act);

/** The keys of the rows that the issue of documents reads first. */
const sourceRows = (subjects: readonly PaymentOrRefund[]): RowKey[] => [
  ...subjects.map(({ paymentId, refundId, adjustmentId }) => {
    if (adjustmentId !== undefined) return keys.dispute(adjustedDisputeOf(adjustmentId) ?? '');
    return refundId === undefined ? keys.payment(paymentId) : keys.refund(refundId);
  }),
  keys.taxRules(),
  keys.brands(),
];
