import { joined, membersOf } from '../answer-text.ts';
import { invalid } from '../dynamo-error.ts';
import { holds } from '../expression/condition.ts';
import { project } from '../expression/projection.ts';
import type { Scope } from '../expression/scope.ts';
import type { Condition, DocumentPath, ParsedExpression } from '../expression/syntax.ts';
import type { ReadRequest } from '../request.ts';
import type { IndexDefinition, KeyNames } from '../tables/definition.ts';
import { type EncodedKey, indexEntryOf, indexKeyOf } from '../tables/keys.ts';
import type { RowRange, StoredRow } from '../tables/rows.ts';
import type { StoredTable } from '../tables/tables.ts';
import type { AttributeMap, AttributeValue } from '../values/attribute-value.ts';
import { consumedCapacity, readUnits, Units } from '../values/capacity.ts';
import { measureItem } from '../values/value-size.ts';

const mostBytesPerPage = 1_024 * 1_024;

/** The table, or one of its indexes, that a request reads. */
export interface PageSource {
  table: StoredTable;
  index: IndexDefinition | undefined;
  keys: KeyNames;
  columns: EncodedKey;
}

/** The parts of the rows that a request returns. */
export interface View {
  scope: Scope;
  filter: ParsedExpression<Condition> | undefined;
  projection: ParsedExpression<DocumentPath[]> | undefined;
}

interface PageOfRows {
  /** The JSON of each row. */
  items: string[];
  scanned: number;
  bytes: number;
  last: AttributeMap | undefined;
}

/**
 * Makes the JSON of a row that a request returns. Undefined if the filter rejects the row. A whole row is returned as
 * it is stored.
 */
type Shape = (row: StoredRow, seen: AttributeMap | undefined) => string | undefined;

function shapeOf({ scope, filter, projection }: View): Shape {
  return ({ body }, seen) => {
    if (!seen) return body;
    if (filter && !holds(filter.root, seen, scope)) return undefined;
    return JSON.stringify(projection ? project(seen, projection.root, scope) : seen);
  };
}

const parsed = ({ body }: StoredRow): AttributeMap => JSON.parse(body);

/** The row as a parsed object. Undefined if the stored JSON can be returned without parsing it. */
function seenAs({ table, index }: PageSource, { filter, projection }: View, row: StoredRow): AttributeMap | undefined {
  if (index) return indexEntryOf(table.definition, index, parsed(row));
  return filter || projection ? parsed(row) : undefined;
}

function readPage(source: PageSource, view: View, range: RowRange, limit: number): PageOfRows {
  const shape = shapeOf(view);
  const page: PageOfRows = { items: [], scanned: 0, bytes: 0, last: undefined };
  for (const row of source.table.rows.range(range)) {
    const seen = seenAs(source, view, row);
    page.scanned += 1;
    page.bytes += source.index && seen ? measureItem(seen) : row.bytes;
    const item = shape(row, seen);
    if (item !== undefined) page.items.push(item);
    if (page.scanned === limit || page.bytes > mostBytesPerPage) return { ...page, last: parsed(row) };
  }
  return page;
}

/** The keys of the last row, after which the next page continues. */
function lastKey({ table, index }: PageSource, item: AttributeMap): AttributeMap {
  const { partitionKey, sortKey } = table.definition;
  const names = [
    partitionKey,
    sortKey,
    ...(index && indexKeyOf(index, item) ? [index.partitionKey, index.sortKey] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, item[name] as AttributeValue]));
}

function selected({ Select: select }: ReadRequest, { index }: PageSource, { projection }: View): 'COUNT' | 'ITEMS' {
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

/** Reads one page of a range. It returns the JSON answer of a query or a scan. */
export function answerPage(request: ReadRequest, source: PageSource, view: View, range: RowRange): string {
  const select = selected(request, source, view);
  const { items, scanned, bytes, last } = readPage(source, view, range, request.Limit ?? Number.POSITIVE_INFINITY);
  const units = new Units();
  const cost = readUnits(bytes, request.ConsistentRead);
  if (source.index) units.addToIndex(source.index.name, cost);
  else units.table = cost;
  const rest = {
    Count: items.length,
    ScannedCount: scanned,
    ...(last && { LastEvaluatedKey: lastKey(source, last) }),
    ...consumedCapacity(request.ReturnConsumedCapacity, source.table.definition.name, units),
  };
  return joined([select === 'ITEMS' ? `"Items":[${items.join(',')}]` : '', membersOf(rest)]);
}
