import { invalid } from '../dynamo-error.ts';
import { assertConditionTypes } from '../expression/operand-types.ts';
import { parseCondition } from '../expression/parse.ts';
import { assertPlaceholders, pathIn, scopeOf } from '../expression/scope.ts';
import type { Condition, DocumentPath, ParsedExpression } from '../expression/syntax.ts';
import { checkedRequest, type ReadRequest } from '../request.ts';
import type { KeyNames } from '../tables/definition.ts';
import type { EncodedKey } from '../tables/keys.ts';
import { indexColumns, type RowRange } from '../tables/rows.ts';
import type { Tables } from '../tables/tables.ts';
import { type AttributeMap, attributeOf } from '../values/attribute-value.ts';
import { keyRangeOf } from './key-condition.ts';
import { answerPage, type PageSource, type View } from './page.ts';
import { projectionOf } from './reads.ts';

/** Reads partitions, indexes and whole tables page by page. */
export class Queries {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Carries out `Query`, and returns the JSON of the answer. */
  query(input: unknown): string {
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
    return answerPage(request, source, view, {
      where: `${source.columns[0]} = ?${where}${start.where}`,
      orderBy: start.orderBy,
      parameters: [partition, ...parameters, ...start.parameters],
    });
  }

  /**
   * Carries out `Scan`, and returns the JSON of the answer. Rows are sorted by partition key and sort key, which
   * DynamoDB does not promise.
   */
  scan(input: unknown): string {
    const request = checkedRequest<ReadRequest>(input);
    const source = this.#source(request);
    const view = viewOf(request, undefined);
    const { table, index, columns } = source;
    const from = request.ExclusiveStartKey ? startKey(table.definition, request.ExclusiveStartKey) : [];
    const inIndex = index ? `${columns[0]} IS NOT NULL AND ${columns[1]} IS NOT NULL` : 'TRUE';
    const where = from.length > 0 ? `${inIndex} AND (pk, sk) > (?, ?)` : inIndex;
    return answerPage(request, source, view, { where, orderBy: 'pk, sk', parameters: from });
  }

  #source({ TableName, IndexName, ConsistentRead, Limit = 1 }: ReadRequest): PageSource {
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

/** Refuses a filter of a query that uses the key attributes. */
function assertFilter({ filter, scope }: View, { partitionKey, sortKey }: KeyNames): void {
  for (const path of filter ? pathsIn(filter.root) : []) {
    const [name] = pathIn(path, scope);
    if (name === partitionKey || name === sortKey)
      throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`);
  }
}

/** Every path in a condition. */
function pathsIn(part: unknown): DocumentPath[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('path' in part) return [part.path as DocumentPath];
  return Object.values(part).flatMap(pathsIn);
}

function startKey(keys: KeyNames, key: AttributeMap): EncodedKey {
  const [partition, sort] = [keys.partitionKey, keys.sortKey].map((name) => attributeOf(key, name)?.S);
  if (partition === undefined || sort === undefined) throw invalid('The provided starting key is invalid');
  return [partition, sort];
}

/** Where a page of a partition begins, and in which direction it is read. */
function startOf({ table, index, columns }: PageSource, request: ReadRequest): RowRange {
  const [after, direction] = request.ScanIndexForward === false ? ['<', 'DESC'] : ['>', 'ASC'];
  const [, sort] = columns;
  const orderBy = (index ? [sort, 'pk', 'sk'] : [sort]).map((column) => `${column} ${direction}`).join(', ');
  const { ExclusiveStartKey: key } = request;
  if (!key) return { where: '', orderBy, parameters: [] };
  const row = startKey(table.definition, key);
  if (!index) return { where: ` AND sk ${after} ?`, orderBy, parameters: [row[1]] };
  return { where: ` AND (${sort}, pk, sk) ${after} (?, ?, ?)`, orderBy, parameters: [startKey(index, key)[1], ...row] };
}
