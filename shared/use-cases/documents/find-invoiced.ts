import type { DocumentStore } from '../../store/documents/document-store.ts';

/** The id of the payment whose invoice has this number, such as `INV-2026-000042`; undefined if there is none. */
export async function findInvoiced(
  { documents }: { documents: Pick<DocumentStore, 'numbers'> },
  number: string,
): Promise<string | undefined> {
  const [, year = '', digits] = number.split('-');
  const serial = Number(digits);
  const { rows } = await documents.numbers('INV', year, serial - 1, 1);
  return rows.find((row) => row.serial === serial)?.subjectId;
}
