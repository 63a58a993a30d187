import type { DocumentKind } from '../../domain/documents/document.ts';
import type { TakenNumber } from '../../domain/documents/document-series.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import { localDate } from '../../tax/places/local-date.ts';
import type { Draft } from './draft-documents.ts';

interface FindForgottenDeps {
  documents: Pick<DocumentStore, 'numbers'>;
  merchant: Merchant;
  now: () => Date;
}

/** Finds the numbers of version 0.1 whose document is lost. Only the series stores them, so it is read to its end. */
export async function findForgottenNumbers(
  deps: FindForgottenDeps,
  kind: DocumentKind,
  drafts: readonly Pick<Draft, 'subjectId' | 'mayBeNumberedSince'>[],
): Promise<Map<string, TakenNumber>> {
  const found = new Map<string, TakenNumber>();
  const sought = new Set(
    drafts.filter((draft) => draft.mayBeNumberedSince !== undefined).map(({ subjectId }) => subjectId),
  );
  const since = drafts.flatMap(({ mayBeNumberedSince }) => mayBeNumberedSince ?? []).sort()[0];
  if (since === undefined) return found;
  const yearOf = (instant: string) => Number(localDate(deps.merchant, instant).slice(0, 4));
  for (let year = yearOf(since); year <= yearOf(deps.now().toISOString()); year += 1)
    await readSeries(deps, { kind, year: String(year) }, sought, found);
  return found;
}

async function readSeries(
  { documents }: FindForgottenDeps,
  series: { kind: DocumentKind; year: string },
  sought: ReadonlySet<string>,
  found: Map<string, TakenNumber>,
): Promise<void> {
  let last = 0;
  for (let hasMore = true; hasMore && found.size < sought.size; ) {
    const page = await documents.numbers(series.kind, series.year, last);
    for (const { subjectId, serial, issuedAt } of page.rows)
      if (sought.has(subjectId) && !found.has(subjectId)) found.set(subjectId, { ...series, serial, issuedAt });
    last = page.rows.at(-1)?.serial ?? last;
    hasMore = page.hasMore;
  }
}
