import type { DocumentKind } from '../domain/document.ts';
import { auditSeries, type SeriesAudit } from '../domain/document-series.ts';
import type { DocumentStore } from '../store/document-store.ts';

/** Proves that a series has every number from 1 to its last; the counter is read first, so that what is being issued is no gap. */
export async function auditDocuments(
  documents: Pick<DocumentStore, 'findSeries' | 'numbers'>,
  { kind, year }: { kind: DocumentKind; year: string },
): Promise<SeriesAudit> {
  const series = await documents.findSeries(kind, year);
  const serials: number[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await documents.numbers(kind, year, serials.at(-1) ?? 0);
    serials.push(...page.rows.map(({ serial }) => serial));
    hasMore = page.hasMore;
  }
  return auditSeries(series, serials);
}
