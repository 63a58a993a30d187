import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { QueryCommand, type QueryCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Document, type DocumentKind, subjectOf } from '../../domain/documents/document.ts';
import { AlreadyIssued, emptySeries, mostAtOnce, Series, takenBy } from '../../domain/documents/document-series.ts';
import { keys } from '../keys.ts';
import { unavailable } from '../table/errors.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import type { Item } from '../table/write.ts';
import {
  documentWrite,
  type Filed,
  filedOf,
  LinkRow,
  type NumberRow,
  newDocumentWrites,
  numbersOf,
  SerialRow,
  seriesWrite,
  takenNumberWrite,
} from './document-rows.ts';

interface Page {
  rows: NumberRow[];
  hasMore: boolean;
}

export interface DocumentStore {
  /** The stored facts about the document of a payment or refund. */
  find(subjectId: string): Promise<Filed>;
  /** Reads the current counter. Before the first number, it is an empty counter. */
  findSeries(kind: DocumentKind, year: string): Promise<Series>;
  /**
   * Reads the counter to issue the next number.
   * @throws Error if a number above the counter already exists
   */
  nextOfSeries(kind: DocumentKind, year: string): Promise<Series>;
  /**
   * Increases the counter and issues the documents with its numbers, all or none.
   * @throws StaleVersion if the counter changed in between; AlreadyIssued if one of the documents already has a number
   */
  issue(series: Series, documents: readonly Document[], options: { isMailed: boolean }): Promise<void>;
  /**
   * Stores the numbers of issued documents a second time, in separate rows. So a lost document can be restored with its
   * number. Each number is written alone, which costs half as much as a transaction. A number that is already stored
   * does not change.
   */
  keepNumbers(documents: readonly Document[]): Promise<void>;
  /** Restores a lost document with its number. */
  restore(document: Document): Promise<void>;
  /**
   * Reads the numbers of a series after `after`, in ascending order, consistently. An index could not prove that none
   * is missing.
   */
  numbers(kind: DocumentKind, year: string, after: number, most?: number): Promise<Page>;
  /**
   * Returns the secret for a link that is mailed now. If none is stored, the given one is stored and returned.
   * Undefined if a link was mailed after `before`.
   */
  claimLink(subjectId: string, secret: string, mail: { now: string; before: string }): Promise<string | undefined>;
}

export function documentStore(table: Table): DocumentStore {
  return {
    find: async (subjectId) => filedOf((await query(table, documentQuery(table, subjectId))).items),
    findSeries: async (kind, year) =>
      (await findData(table, keys.series(kind, year), Series)) ?? emptySeries(kind, year),
    nextOfSeries: (kind, year) => readNext(table, kind, year),
    issue: (series, documents, { isMailed }) =>
      commit(table, [seriesWrite(series), ...newDocumentWrites(documents, isMailed)]),
    keepNumbers: async (documents) => void (await Promise.all(documents.map((one) => keepNumber(table, one)))),
    restore: (document) => commit(table, [documentWrite(document, false)]),
    numbers: (kind, year, after, most) => readNumbers(table, { kind, year, after, most }),
    claimLink: (subjectId, secret, mail) => claimLink(table, subjectId, secret, mail),
  };
}

const keepNumber = (table: Table, document: Document): Promise<void> =>
  commit(table, [takenNumberWrite(subjectOf(document), takenBy(document))]).catch((error: unknown) => {
    if (!(error instanceof AlreadyIssued)) throw error;
  });

async function claimLink(
  table: Table,
  subjectId: string,
  secret: string,
  { now, before }: { now: string; before: string },
): Promise<string | undefined> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: keys.documentLink(subjectId),
    UpdateExpression: 'SET entity = :entity, secret = if_not_exists(secret, :secret), mailedAt = :now',
    ConditionExpression: 'attribute_not_exists(mailedAt) OR mailedAt < :before',
    ExpressionAttributeValues: { ':entity': 'LINK', ':secret': secret, ':now': now, ':before': before },
    ReturnValues: 'ALL_NEW',
  });
  return table.client.send(update).then(
    ({ Attributes }) => LinkRow.parse(Attributes).secret,
    (error) => (error instanceof ConditionalCheckFailedException ? undefined : Promise.reject(unavailable(error))),
  );
}

async function query(table: Table, input: QueryCommandInput): Promise<{ items: Item[]; isLast: boolean }> {
  const { Items: items = [], LastEvaluatedKey } = await table.client.send(new QueryCommand(input)).catch(unavailable);
  return { items, isLast: LastEvaluatedKey === undefined };
}

const documentQuery = (table: Table, subjectId: string): QueryCommandInput => ({
  TableName: table.name,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': keys.document(subjectId).pk },
  ConsistentRead: true,
});

interface NumbersRequest {
  kind: DocumentKind;
  year: string;
  after: number;
  most: number | undefined;
}

/** The query that reads the counter and the row of the highest numbers together: `SERIES` sorts behind all numbers. */
const seriesQuery = (table: Table, kind: DocumentKind, year: string): QueryCommandInput => ({
  TableName: table.name,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': keys.series(kind, year).pk },
  ConsistentRead: true,
  ScanIndexForward: false,
  Limit: 2,
});

/**
 * Reads the counter, and checks whether numbers above it exist. If so, it reads again, because a transaction may have
 * been writing both. If the counter is still too low, it was changed by mistake, so it gives no number.
 */
async function readNext(table: Table, kind: DocumentKind, year: string, before?: Series): Promise<Series> {
  const { items } = await query(table, seriesQuery(table, kind, year));
  const counter = items.find(({ sk }) => sk === keys.series(kind, year).sk);
  const series = counter ? Series.parse(counter['data']) : emptySeries(kind, year);
  const [highest] = items
    .filter((item) => item !== counter)
    .flatMap((item) => numbersOf(SerialRow.parse(item)).slice(-1));
  if (!highest || highest.serial <= series.last) return series;
  if (before?.version !== series.version) return readNext(table, kind, year, series);
  throw new Error(`The number ${kind}-${year} ${highest.serial} was taken before its counter came to it.`);
}

/**
 * How many numbers before a given one its row can begin. A row contains several numbers, and its key is the first one.
 */
const mostBefore = mostAtOnce - 1;

const numbersQuery = (table: Table, { kind, year, after, most }: NumbersRequest): QueryCommandInput => ({
  TableName: table.name,
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: {
    ':pk': keys.series(kind, year).pk,
    ':from': keys.documentNumber(kind, year, Math.max(1, after + 1 - mostBefore)).sk,
    ':to': 'NUMBER#~',
  },
  ConsistentRead: true,
  ...(most !== undefined && { Limit: most + mostBefore }),
});

async function readNumbers(table: Table, request: NumbersRequest): Promise<Page> {
  const { items, isLast } = await query(table, numbersQuery(table, request));
  const rows = items.flatMap((item) => numbersOf(SerialRow.parse(item))).filter(({ serial }) => serial > request.after);
  const { most = rows.length } = request;
  return { rows: rows.slice(0, most), hasMore: !isLast || rows.length > most };
}
