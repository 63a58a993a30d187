import { primaryBrand } from '../../../shared/domain/catalogue/brand.ts';
import { mostAtOnce } from '../../../shared/domain/documents/document-series.ts';
import { brandStore } from '../../../shared/store/catalogue/brand-store.ts';
import { documentStore } from '../../../shared/store/documents/document-store.ts';
import { exchangeRateStore } from '../../../shared/store/exchange-rate-store.ts';
import { disputeStore } from '../../../shared/store/payments/dispute-store.ts';
import { paymentStore } from '../../../shared/store/payments/payment-store.ts';
import type { Table } from '../../../shared/store/table/table.ts';
import { taxRulesStore } from '../../../shared/store/tax-rules-store.ts';
import { subjectWithId } from '../../../shared/use-cases/documents/draft-documents.ts';
import { type IssueDocumentsDeps, issueDocuments } from '../../../shared/use-cases/documents/issue-documents.ts';
import type { Finding } from './contradictions.ts';

/** How long a batch waits for its turn. The running workers take numbers of the same series. */
const patienceMs = 60_000;

const noEvents = (): never => {
  throw new Error('Issuing documents creates no events.');
};

/**
 * Issues the documents that the check did not find, by the same rules as the worker. A document keeps a number that it
 * already had. It sends no mail, because it is unknown what was mailed before. Returns how many documents were missing.
 */
export async function issueMissing(
  table: Table,
  { merchant, awaitsRates }: Pick<IssueDocumentsDeps, 'merchant' | 'awaitsRates'>,
  findings: AsyncIterable<Finding>,
): Promise<number> {
  const deps: IssueDocumentsDeps = {
    payments: paymentStore(table, noEvents),
    disputes: disputeStore(table, noEvents),
    taxRules: taxRulesStore(table),
    brands: brandStore(table, primaryBrand(merchant)),
    documents: documentStore(table),
    merchant,
    rates: exchangeRateStore(table),
    awaitsRates,
    isMailed: false,
    inTurn: (act) => act(),
    now: () => new Date(),
    random: Math.random,
  };
  let issued = 0;
  let batch = new Set<string>();
  const flush = async () => {
    const until = performance.now() + patienceMs;
    const documents = await issueDocuments(deps, [...batch].map(subjectWithId), () => performance.now() < until);
    issued += [...batch].filter((id) => documents.has(id)).length;
    batch = new Set();
  };
  for await (const { undocumented } of findings) {
    if (undocumented !== undefined) batch.add(undocumented);
    if (batch.size === mostAtOnce) await flush();
  }
  await flush();
  return issued;
}
