import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import type { Page, PageRequest } from '../wire/page.ts';
import { toUnavailable } from './errors.ts';
import type { Table } from './table.ts';
import { type IndexName, tableSchema } from './table-schema.ts';

export interface ListRequest<Row> {
  index: IndexName;
  partition: string;
  page: PageRequest;
  /** Parses the list view. */
  row: z.ZodType<Row>;
  /** Which rows are wanted; the index knows only their time. */
  matches?: (row: Row) => boolean;
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
}

/** Larger than every id: the end of an instant. */
const lastId = '~';

/** A page that must be searched for is read in large steps: as many list views as one answer of DynamoDB holds. */
const mostPerQuery = 1_000;

interface Portion {
  upTo: string | undefined;
  limit: number;
}

interface Found<Row> {
  row: Row;
  sortKey: string;
}

/** One page of an index, newest first: reads on until the page is full, and one row further to know whether there is more. */
export async function listPage<Row>(table: Table, request: ListRequest<Row>): Promise<Page<Row>> {
  const { size, skip } = request.page;
  const found: Found<Row>[] = [];
  for await (const entry of matching(table, request)) {
    found.push(entry);
    if (found.length > skip + size) break;
  }
  return toPage(found.slice(skip), size);
}

/** Every wanted row after the page's start, read as far as it is asked for. */
async function* matching<Row>(table: Table, request: ListRequest<Row>): AsyncGenerator<Found<Row>> {
  let upTo = request.page.after;
  let limit = request.page.skip + request.page.size + 2;
  do {
    const { rows, last } = await readOn(table, request, { upTo, limit });
    for (const entry of rows) if (request.matches?.(entry.row) ?? true) yield entry;
    upTo = last;
    limit = mostPerQuery;
  } while (upTo !== undefined);
}

function toPage<Row>(found: readonly Found<Row>[], size: number): Page<Row> {
  const shown = found.slice(0, size);
  return { items: shown.map(({ row }) => row), hasMore: found.length > size, last: shown.at(-1)?.sortKey };
}

async function readOn<Row>(table: Table, request: ListRequest<Row>, portion: Portion) {
  const { sortKey } = tableSchema.indexes[request.index];
  try {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand(queryOf(table, request, portion)),
    );
    const rows = Items.filter((item) => item[sortKey] !== portion.upTo).map((item) => ({
      row: request.row.parse(item['row']),
      sortKey: item[sortKey] as string,
    }));
    return { rows, last: LastEvaluatedKey && (LastEvaluatedKey[sortKey] as string) };
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Between two instants and strictly before the last key emitted: a cursor needs no state on the server. */
function queryOf<Row>(table: Table, request: ListRequest<Row>, { upTo: before, limit }: Portion): QueryCommandInput {
  const { partitionKey, sortKey } = tableSchema.indexes[request.index];
  const from = request.createdFrom ?? '0';
  const to = request.createdTo ? `${request.createdTo}#${lastId}` : lastId;
  const upper = before !== undefined && before < to ? before : to;
  const values = { ':partition': request.partition, ':from': from < upper ? from : upper, ':to': upper };
  return {
    TableName: table.name,
    IndexName: request.index,
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
    ExpressionAttributeValues: values,
    ScanIndexForward: false,
    Limit: Math.min(mostPerQuery, limit),
  };
}
