import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { Document, type DocumentKind, subjectOf } from '../domain/document.ts';
import { AlreadyIssued, emptySeries, Series } from '../domain/document-series.ts';
import { StaleVersion } from '../domain/idempotency.ts';
import { toUnavailable } from './errors.ts';
import { keys } from './keys.ts';
import { findData, findItem } from './read.ts';
import type { Table } from './table.ts';
import { commit, type Item, ifAbsent, versionedWrite, type Write } from './transaction.ts';

export interface DocumentStore {
  /** The document of a payment or refund. */
  find(subjectId: string): Promise<Document | undefined>;
  /** The counter as it is now; an empty one before the first number. */
  findSeries(kind: DocumentKind, year: string): Promise<Series>;
  /**
   * Moves the counter on and issues the documents under its numbers: all or nothing.
   * @throws StaleVersion when somebody else took numbers in the meantime; AlreadyIssued when somebody issued one of the documents
   */
  issue(series: Series, documents: readonly Document[]): Promise<void>;
  /** Every number that was taken, in order. */
  serials(kind: DocumentKind, year: string): Promise<number[]>;
  wasMailed(subjectId: string): Promise<boolean>;
  markMailed(subjectId: string, at: string): Promise<void>;
}

const stale = () => new StaleVersion();

const seriesWrite = (series: Series): Write =>
  versionedWrite(series, { ...keys.series(series.kind, series.year), entity: 'SERIES' }, stale);

/** The document, which its payment or refund has once; and its number, which the series has once. */
function documentWrites({ year }: Series, document: Document): Write[] {
  const { kind, serial, number, issuedAt } = document;
  const subjectId = subjectOf(document);
  const taken = () => new Error(`The number ${number} was taken before its counter came to it.`);
  return [
    {
      put: { ...keys.document(subjectId), entity: 'DOCUMENT', data: document },
      condition: ifAbsent,
      refusal: () => new AlreadyIssued(subjectId),
    },
    {
      put: { ...keys.documentNumber(kind, year, serial), entity: 'NUMBER', serial, subjectId, issuedAt },
      condition: ifAbsent,
      refusal: taken,
    },
  ];
}

const mailWrite = (subjectId: string, at: string): Write => ({
  put: { ...keys.documentMail(subjectId), entity: 'MAIL', at },
  refusal: stale,
});

export function documentStore(table: Table): DocumentStore {
  return {
    find: (subjectId) => findData(table, keys.document(subjectId), Document),
    findSeries: async (kind, year) =>
      (await findData(table, keys.series(kind, year), Series)) ?? emptySeries(kind, year),
    issue: (series, documents) =>
      commit(table, [seriesWrite(series), ...documents.flatMap((document) => documentWrites(series, document))]),
    serials: (kind, year) => readSerials(table, keys.series(kind, year).pk),
    wasMailed: async (subjectId) => (await findItem(table, keys.documentMail(subjectId))) !== undefined,
    markMailed: (subjectId, at) => commit(table, [mailWrite(subjectId, at)]),
  };
}

/** Reads the numbers of a series to its end, as they are now: no index could prove that none is missing. */
async function readSerials(table: Table, pk: string): Promise<number[]> {
  const serials: number[] = [];
  let after: Item | undefined;
  do {
    const page = await table.client.send(numbersQuery(table, pk, after)).catch((error: unknown) => {
      throw toUnavailable(error);
    });
    for (const item of page.Items ?? []) serials.push(Number(item['serial']));
    after = page.LastEvaluatedKey;
  } while (after);
  return serials;
}

const numbersQuery = (table: Table, pk: string, after: Item | undefined): QueryCommand =>
  new QueryCommand({
    TableName: table.name,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :numbers)',
    ExpressionAttributeValues: { ':pk': pk, ':numbers': 'NUMBER#' },
    ProjectionExpression: 'serial',
    ConsistentRead: true,
    ExclusiveStartKey: after,
  });
