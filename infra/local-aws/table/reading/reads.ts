import { joined, membersOf } from '../answer-text.ts';
import { invalid } from '../dynamo-error.ts';
import { parseProjection } from '../expression/parse.ts';
import { project } from '../expression/projection.ts';
import { assertApart, assertPlaceholders, pathIn, type Scope, scopeOf } from '../expression/scope.ts';
import type { DocumentPath, ParsedExpression } from '../expression/syntax.ts';
import {
  type BatchGetRequest,
  type BatchOfKeys,
  checkedRequest,
  type ReadRequest,
  type TransactGetRequest,
} from '../request.ts';
import { type EncodedKey, keyOfRequest } from '../tables/keys.ts';
import type { StoredRow } from '../tables/rows.ts';
import type { StoredTable, Tables } from '../tables/tables.ts';
import type { AttributeMap } from '../values/attribute-value.ts';
import { consumedCapacities, consumedCapacity, readUnits, Units } from '../values/capacity.ts';

const mostInBatch = 100;
const mostBytesInBatch = 16 * 1_024 * 1_024;

/** The paths to return; undefined for whole rows. */
export function projectionOf(
  { ProjectionExpression: text }: Pick<ReadRequest, 'ProjectionExpression'>,
  scope: Scope,
): { parsed: ParsedExpression<DocumentPath[]> | undefined; check: () => void } {
  const parsed = text === undefined ? undefined : parseProjection('ProjectionExpression', text);
  const check = () =>
    parsed &&
    assertApart(
      parsed,
      parsed.root.map((path) => pathIn(path, scope)),
    );
  return { parsed, check };
}

/** Makes the JSON that a read by key returns from the JSON of a row. */
type Shape = (body: string) => string;

const asItStands: Shape = (body) => body;

function shapeOf(request: Omit<ReadRequest, 'TableName'>): Shape {
  const scope = scopeOf(request);
  const { parsed, check } = projectionOf(request, scope);
  assertPlaceholders(scope, [parsed]);
  check();
  if (!parsed) return asItStands;
  return (body) => JSON.stringify(project(JSON.parse(body) as AttributeMap, parsed.root, scope));
}

interface BatchRead {
  items: string[];
  unread: AttributeMap[];
  units: Units;
}

/** Reads rows by their keys. The stored JSON of a row is returned without parsing, which saves time. */
export class Reads {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Carries out `GetItem`, and returns the JSON of the answer. */
  get(input: unknown): string {
    const request = checkedRequest<ReadRequest>(input);
    const { row, shape, table } = this.#find(request);
    const units = new Units();
    units.table = readUnits(row?.bytes ?? 0, request.ConsistentRead);
    const consumed = consumedCapacity(request.ReturnConsumedCapacity, table.definition.name, units);
    return joined([row ? `"Item":${shape(row.body)}` : '', membersOf(consumed)]);
  }

  #find(request: ReadRequest): { table: StoredTable; key: EncodedKey; row: StoredRow | undefined; shape: Shape } {
    const table = this.#tables.get(request.TableName);
    const shape = shapeOf(request);
    const key = keyOfRequest(table.definition, request.Key);
    return { table, key, shape, row: table.rows.find(key) };
  }

  /**
   * Carries out `BatchGetItem`, and returns the JSON of the answer. It has rows in any order, and the keys for which
   * there was no space.
   */
  batch(input: unknown): string {
    const { RequestItems, ReturnConsumedCapacity } = checkedRequest<BatchGetRequest>(input);
    const requests = Object.entries(RequestItems).map(([name, request]) => ({
      table: this.#tables.get(name),
      request: checkedRequest<BatchOfKeys>(request),
    }));
    assertBatch(requests.flatMap(({ request }) => request.Keys ?? []).length);
    const room = { bytes: mostBytesInBatch };
    const reads = requests.map(({ table, request }) => ({
      table,
      request,
      read: this.#readKeys(table, request, room),
    }));
    const responses = reads.map(
      ({ table, read }) => `${JSON.stringify(table.definition.name)}:[${read.items.join(',')}]`,
    );
    const units = new Map(reads.map(({ table, read }) => [table.definition.name, read.units]));
    const unread = reads.filter(({ read }) => read.unread.length > 0);
    const UnprocessedKeys = Object.fromEntries(
      unread.map(({ table, request, read }) => [table.definition.name, { ...request, Keys: read.unread }]),
    );
    const rest = membersOf({ UnprocessedKeys, ...consumedCapacities(ReturnConsumedCapacity, units) });
    return joined([`"Responses":${joined(responses)}`, rest]);
  }

  #readKeys({ definition, rows }: StoredTable, request: BatchOfKeys, room: { bytes: number }): BatchRead {
    const shape = shapeOf(request);
    const keys = request.Keys.map((Key) => ({ Key, key: keyOfRequest(definition, Key) }));
    assertDistinctKeys(keys.map(({ key }) => key));
    const read: BatchRead = { items: [], unread: [], units: new Units() };
    for (const { Key, key } of keys) {
      const row = rows.find(key);
      room.bytes -= row?.bytes ?? 0;
      if (room.bytes < 0) {
        read.unread.push(Key);
        continue;
      }
      read.units.table += readUnits(row?.bytes ?? 0, request.ConsistentRead);
      if (row) read.items.push(shape(row.body));
    }
    return read;
  }

  /** Carries out `TransactGetItems`, and returns the JSON of the answer. It has all rows at one moment. */
  transact(input: unknown): string {
    const { TransactItems, ReturnConsumedCapacity } = checkedRequest<TransactGetRequest>(input);
    if (TransactItems.length < 1 || TransactItems.length > mostInBatch)
      throw invalid(
        "1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100, and greater than or equal to 1",
      );
    const units = new Map<string, Units>();
    const found = TransactItems.map(({ Get }) => this.#find(checkedRequest<ReadRequest>(Get)));
    const rows = found.map(({ table, key }) => JSON.stringify([table.id, ...key]));
    if (new Set(rows).size < rows.length)
      throw invalid('Transaction request cannot include multiple operations on one item');
    for (const { table, row } of found) {
      const known = units.get(table.definition.name) ?? new Units();
      known.table += 2 * readUnits(row?.bytes ?? 0, true);
      units.set(table.definition.name, known);
    }
    const responses = found.map(({ row, shape }) => (row ? `{"Item":${shape(row.body)}}` : '{}'));
    const consumed = membersOf(consumedCapacities(ReturnConsumedCapacity, units, 'ReadCapacityUnits'));
    return joined([`"Responses":[${responses.join(',')}]`, consumed]);
  }
}

function assertBatch(count: number): void {
  if (count === 0) throw invalid('The list of keys in RequestItems for BatchGetItem is required');
  if (count > mostInBatch) throw invalid('Too many items requested for the BatchGetItem call');
}

function assertDistinctKeys(keys: readonly EncodedKey[]): void {
  if (keys.length === 1) return;
  if (new Set(keys.map((key) => JSON.stringify(key))).size < keys.length)
    throw invalid('Provided list of item keys contains duplicates');
}
