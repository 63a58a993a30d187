import { correctingRefundOf } from '../../domain/documents/document-id.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';

export interface FindInvoicedDeps {
  documents: Pick<DocumentStore, 'numbers' | 'find'>;
}

/**
 * The id of the payment whose invoice has this number, such as `INV-2026-000042`; undefined if there is none. The
 * number may be that of a corrected invoice.
 */
export async function findInvoiced({ documents }: FindInvoicedDeps, number: string): Promise<string | undefined> {
  const [, year = '', digits] = number.split('-');
  const serial = Number(digits);
  const { rows } = await documents.numbers('INV', year, serial - 1, 1);
  const id = rows.find((row) => row.serial === serial)?.subjectId;
  if (id === undefined || correctingRefundOf(id) === undefined) return id;
  return (await documents.find(id)).document?.paymentId;
}
