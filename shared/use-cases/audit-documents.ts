import type { DocumentKind } from '../domain/document.ts';
import { auditSeries, type SeriesAudit } from '../domain/document-series.ts';
import type { DocumentStore } from '../store/document-store.ts';

/** Proves that a series has every number from 1 to its last; the counter is read first, so that what is being issued is no gap. */
export async function auditDocuments(
  documents: Pick<DocumentStore, 'findSeries' | 'serials'>,
  { kind, year }: { kind: DocumentKind; year: string },
): Promise<SeriesAudit> {
  const series = await documents.findSeries(kind, year);
  return auditSeries(series, await documents.serials(kind, year));
}
