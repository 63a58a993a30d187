import { type AttributeMap, type AttributeValue, attributeOf } from './attribute-value.ts';
import { consumedCapacity, readUnits, Units } from './capacity.ts';
import type { IndexDefinition, KeyNames } from './definition.ts';
import { invalid } from './dynamo-error.ts';
import { holds } from './expression/condition.ts';
import { assertConditionTypes } from './expression/operand-types.ts';
import { parseCondition } from './expression/parse.ts';
import { project } from './expression/projection.ts';
import { assertPlaceholders, pathIn, type Scope, scopeOf } from './expression/scope.ts';
import type { Condition, DocumentPath, ParsedExpression } from './expression/syntax.ts';
import { keyRangeOf } from './key-condition.ts';
import { indexEntryOf, indexKeyOf, type RowKey } from './keys.ts';
import { projectionOf } from './reads.ts';
import { checkedRequest, type ReadRequest } from './request.ts';
import { indexColumns, type RowRange, type StoredRow } from './rows.ts';
import type { StoredTable, Tables } from './tables.ts';
import { measureItem } from './value-size.ts';

const mostBytesPerPage = 1_024 * 1_024;

/** The table, or one of its indexes, that a request reads. */
interface Source {
  table: StoredTable;
  index: IndexDefinition | undefined;
  keys: KeyNames;
  columns: RowKey;
}

/** What a request wants to see of the rows that it comes by. */
interface View {
  scope: Scope;
  filter: ParsedExpression<Condition> | undefined;
  projection: ParsedExpression<DocumentPath[]> | undefined;
}

interface PageOfRows {
  items: AttributeMap[];
  scanned: number;
  bytes: number;
  last: AttributeMap | undefined;
}

/** Reads partitions, indexes and whole tables, page by page. */
export class Queries {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** `Query` */
  query(input: unknown): object {
    const request = checkedRequest<ReadRequest>(input);
    const source = this.#source(request);
    if (request.KeyConditionExpression === undefined)
      throw invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.');
    const key = parseCondition('KeyConditionExpression', request.KeyConditionExpression);
    const view = viewOf(request, key);
    assertConditionTypes(key, view.scope);
    const { partition, where, parameters } = keyRangeOf(key.root, source.keys, view.scope, source.columns[1]);
    assertFilter(view, source.keys);
    const start = startOf(source, request);
    return answer(request, source, view, {
      where: `${source.columns[0]} = ?${where}${start.where}`,
      orderBy: start.orderBy,
      parameters: [partition, ...parameters, ...start.parameters],
    });
  }

  /** `Scan`: rows by partition key and sort key, an order that DynamoDB does not promise. */
  scan(input: unknown): object {
    const request = checkedRequest<ReadRequest>(input);
    const source = this.#source(request);
    const view = viewOf(request, undefined);
    const { table, index, columns } = source;
    const from = request.ExclusiveStartKey ? startKey(table.definition, request.ExclusiveStartKey) : [];
    const inIndex = index ? `${columns[0]} IS NOT NULL AND ${columns[1]} IS NOT NULL` : 'TRUE';
    const where = from.length > 0 ? `${inIndex} AND (pk, sk) > (?, ?)` : inIndex;
    return answer(request, source, view, { where, orderBy: 'pk, sk', parameters: from });
  }

  #source({ TableName, IndexName, ConsistentRead, Limit = 1 }: ReadRequest): Source {
    const table = this.#tables.get(TableName);
    const { definition } = table;
    if (Limit < 1)
      throw invalid(
        `1 validation error detected: Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
      );
    if (IndexName === undefined) return { table, index: undefined, keys: definition, columns: ['pk', 'sk'] };
    const position = definition.indexes.findIndex(({ name }) => name === IndexName);
    const index = definition.indexes[position];
    if (!index) throw invalid(`The table does not have the specified index: ${IndexName}`);
    if (ConsistentRead) throw invalid('Consistent reads are not supported on global secondary indexes');
    return { table, index, keys: index, columns: indexColumns(position) };
  }
}

function viewOf(request: ReadRequest, key: ParsedExpression<Condition> | undefined): View {
  const scope = scopeOf(request);
  const text = request.FilterExpression;
  const filter = text === undefined ? undefined : parseCondition('FilterExpression', text);
  const { parsed: projection, check } = projectionOf(request, scope);
  assertPlaceholders(scope, [filter, projection, key]);
  check();
  if (filter) assertConditionTypes(filter, scope);
  return { scope, filter, projection };
}

/** A query's filter must leave the keys to the key condition. */
function assertFilter({ filter, scope }: View, { partitionKey, sortKey }: KeyNames): void {
  for (const path of filter ? pathsIn(filter.root) : []) {
    const [name] = pathIn(path, scope);
    if (name === partitionKey || name === sortKey)
      throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`);
  }
}

/** Every path that stands somewhere in a condition. */
function pathsIn(part: unknown): DocumentPath[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('path' in part) return [part.path as DocumentPath];
  return Object.values(part).flatMap(pathsIn);
}

function startKey(keys: KeyNames, key: AttributeMap): RowKey {
  const [partition, sort] = [keys.partitionKey, keys.sortKey].map((name) => attributeOf(key, name)?.S);
  if (partition === undefined || sort === undefined) throw invalid('The provided starting key is invalid');
  return [partition, sort];
}

/** Where a page of a partition goes on, and in which direction. */
function startOf({ table, index, columns }: Source, request: ReadRequest): RowRange {
  const [after, direction] = request.ScanIndexForward === false ? ['<', 'DESC'] : ['>', 'ASC'];
  const [, sort] = columns;
  const orderBy = (index ? [sort, 'pk', 'sk'] : [sort]).map((column) => `${column} ${direction}`).join(', ');
  const { ExclusiveStartKey: key } = request;
  if (!key) return { where: '', orderBy, parameters: [] };
  const row = startKey(table.definition, key);
  if (!index) return { where: ` AND sk ${after} ?`, orderBy, parameters: [row[1]] };
  return { where: ` AND (${sort}, pk, sk) ${after} (?, ?, ?)`, orderBy, parameters: [startKey(index, key)[1], ...row] };
}

/** Rows as they are seen, with what each counts for. */
function seenAs({ table, index }: Source, { body, bytes }: StoredRow) {
  const whole = JSON.parse(body) as AttributeMap;
  if (!index) return { whole, item: whole, bytes };
  const item = indexEntryOf(table.definition, index, whole);
  return { whole, item, bytes: measureItem(item) };
}

function readPage(source: Source, { scope, filter }: View, range: RowRange, limit: number): PageOfRows {
  const page: PageOfRows = { items: [], scanned: 0, bytes: 0, last: undefined };
  for (const row of source.table.rows.range(range)) {
    const { whole, item, bytes } = seenAs(source, row);
    page.scanned += 1;
    page.bytes += bytes;
    if (!filter || holds(filter.root, item, scope)) page.items.push(item);
    if (page.scanned === limit || page.bytes > mostBytesPerPage) return { ...page, last: whole };
  }
  return page;
}

/** The keys by which the next page is asked for. */
function lastKey({ table, index }: Source, item: AttributeMap): AttributeMap {
  const { partitionKey, sortKey } = table.definition;
  const names = [
    partitionKey,
    sortKey,
    ...(index && indexKeyOf(index, item) ? [index.partitionKey, index.sortKey] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, item[name] as AttributeValue]));
}

function selected({ Select: select }: ReadRequest, { index }: Source, { projection }: View): 'COUNT' | 'ITEMS' {
  if (projection && select !== undefined && select !== 'SPECIFIC_ATTRIBUTES')
    throw invalid(
      `Cannot specify the ProjectionExpression when choosing to get ${select === 'COUNT' ? 'only the Count' : select}`,
    );
  if (select === 'ALL_ATTRIBUTES' && index?.projected)
    throw invalid(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && !index)
    throw invalid(
      'One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
    );
  return select === 'COUNT' ? 'COUNT' : 'ITEMS';
}

function answer(request: ReadRequest, source: Source, view: View, range: RowRange): object {
  const select = selected(request, source, view);
  const { items, scanned, bytes, last } = readPage(source, view, range, request.Limit ?? Number.POSITIVE_INFINITY);
  const { projection, scope } = view;
  const Items = projection ? items.map((item) => project(item, projection.root, scope)) : items;
  const units = new Units();
  const cost = readUnits(bytes, request.ConsistentRead);
  if (source.index) units.addToIndex(source.index.name, cost);
  else units.table = cost;
  return {
    ...(select === 'ITEMS' && { Items }),
    Count: items.length,
    ScannedCount: scanned,
    ...(last && { LastEvaluatedKey: lastKey(source, last) }),
    ...consumedCapacity(request.ReturnConsumedCapacity, source.table.definition.name, units),
  };
}
