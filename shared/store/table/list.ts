import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { unavailable } from './errors.ts';
import { unpacked } from './packed.ts';
import type { Table } from './table.ts';
import { type IndexName, tableSchema } from './table-schema.ts';

interface ListRequest<Row> {
  index: IndexName;
  partition: string;
  page: ItemPageRequest;
  /** Parses a list view. */
  row: { parse: (value: unknown) => Row };
  /** Filters the rows. The index itself can only filter by time. */
  matches?: ((row: Row) => boolean) | undefined;
  /** Filters the matching rows further. To do so, it reads other rows. */
  keeps?: ((rows: readonly Row[]) => Promise<readonly Row[]>) | undefined;
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
}

/** Sorts behind every id. So `instant#~` is the end of all keys of an instant. */
const lastId = '~';

/** How many list views one query reads for a filtered page. It is as many as fit into one answer of DynamoDB. */
const mostPerQuery = 1_000;
/**
 * How many list views one query reads if the filter reads other rows. It is smaller, because those must be read too.
 */
const mostPerLook = 100;
/** The most queries of one request. So it searches at most 25,000 list views or 25 MB. */
const mostQueries = 25;

interface Portion {
  upTo: string | undefined;
  limit: number;
}

interface Found<Row> {
  row: Row;
  sortKey: string;
}

/**
 * Reads one page of an index, newest first. It reads until the page is full, and one more row to see whether others
 * follow. At the limit of one request, it returns the rows found so far and where to continue.
 */
export async function listPage<Row>(table: Table, request: ListRequest<Row>): Promise<ItemPage<Row>> {
  const { size, skip, isNumbered = false } = request.page;
  const { found, stoppedAt } = await search(table, request, skip + size + 1);
  const shown = found.slice(skip, skip + size);
  const sortKeys = shown.map(({ sortKey }) => sortKey);
  const isSpent = stoppedAt !== undefined && shown.length < size;
  return {
    items: shown.map(({ row }) => row),
    hasMore: found.length > skip + size || stoppedAt !== undefined,
    last: isSpent ? stoppedAt : sortKeys.at(-1),
    sortKeys,
    isNumbered,
    isSpent,
  };
}

/** The first matching rows. If the limit was reached, `stoppedAt` is the last row that was searched. */
async function search<Row>(
  table: Table,
  request: ListRequest<Row>,
  limit: number,
): Promise<{ found: Found<Row>[]; stoppedAt?: string }> {
  const found: Found<Row>[] = [];
  let portion: Portion = { upTo: request.page.after, limit: limit + 1 };
  const step = request.keeps ? mostPerLook : mostPerQuery;
  for (let queries = 1; ; queries += 1) {
    const { rows, last } = await readOn(table, request, portion);
    found.push(...rows);
    if (last === undefined || found.length >= limit) return { found };
    if (queries === mostQueries) return { found, stoppedAt: last };
    portion = { upTo: last, limit: step };
  }
}

/** The matching rows of one query, and the last row that was read if more may follow. */
async function readOn<Row>(table: Table, request: ListRequest<Row>, portion: Portion) {
  const { sortKey } = tableSchema.indexes[request.index];
  const query = new QueryCommand(queryOf(table, request, portion));
  const { Items = [], LastEvaluatedKey } = await table.client.send(query).catch(unavailable);
  const rows = Items.filter((item) => item[sortKey] !== portion.upTo).map((item) => ({
    row: request.row.parse(unpacked(item['row'])),
    sortKey: item[sortKey] as string,
  }));
  const matching = rows.filter(({ row }) => request.matches?.(row) ?? true);
  const kept = request.keeps && new Set(await request.keeps(matching.map(({ row }) => row)));
  return {
    rows: kept ? matching.filter(({ row }) => kept.has(row)) : matching,
    last: LastEvaluatedKey && (LastEvaluatedKey[sortKey] as string),
  };
}

/** A query between two instants that starts after the last returned key. So a cursor needs no state on the server. */
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

/** The page with whole objects instead of its rows. A row whose object does not exist is left out. */
export async function completePage<Row, Whole>(
  { items, sortKeys = [], ...page }: ItemPage<Row>,
  complete: (rows: readonly Row[]) => Promise<(Whole | undefined)[]>,
): Promise<ItemPage<Whole>> {
  const whole = await complete(items);
  const isThere = (_: unknown, index: number): boolean => whole[index] !== undefined;
  return { ...page, items: whole.filter((one) => one !== undefined), sortKeys: sortKeys.filter(isThere) };
}
