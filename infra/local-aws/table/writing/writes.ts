import { DynamoError, invalid } from '../dynamo-error.ts';
import { project } from '../expression/projection.ts';
import {
  type BatchedWrite,
  type BatchWriteRequest,
  checkedRequest,
  type WriteKind,
  type WriteRequest,
} from '../request.ts';
import type { Database } from '../tables/database.ts';
import type { Tables } from '../tables/tables.ts';
import { type AttributeMap, isSameRow } from '../values/attribute-value.ts';
import { addIndexUnits, consumedCapacities, consumedCapacity, Units, writeUnits } from '../values/capacity.ts';
import { measureItem } from '../values/value-size.ts';
import { type CurrentRow, isAllowed, type PlannedWrite, planWrite, rowAfter, rowIfWanted } from './planned-write.ts';
import type { StreamRecords } from './stream-records.ts';

const mostInBatch = 25;

/** Writes rows and their stream records, and counts the units. */
export class Writes {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #records: StreamRecords;

  constructor(database: Database, tables: Tables, records: StreamRecords) {
    this.#database = database;
    this.#tables = tables;
    this.#records = records;
  }

  /** Carries out `PutItem`, `UpdateItem` or `DeleteItem`. */
  single(kind: Exclude<WriteKind, 'ConditionCheck'>, input: unknown): object {
    const request = checkedRequest<WriteRequest>(input);
    assertReturnValues(kind, request.ReturnValues);
    const write = planWrite(this.#tables, kind, request);
    if (!isAllowed(write))
      throw new DynamoError('ConditionalCheckFailedException', 'The conditional request failed', rowIfWanted(write));
    const after = rowAfter(write);
    const units = new Units();
    this.#database.atomically(() => this.apply(write, after, units));
    return {
      ...returnedAttributes(write, after),
      ...consumedCapacity(request.ReturnConsumedCapacity, write.table.definition.name, units),
    };
  }

  /** Stores the row after a write. `factor` is 2 in a transaction, because that counts twice for the table. */
  apply(write: PlannedWrite, after: AttributeMap | undefined, units: Units, factor = 1): void {
    const { table, key, current } = write;
    const row = after && { body: JSON.stringify(after), bytes: measureItem(after) };
    units.table += factor * writeUnits(Math.max(row?.bytes ?? 0, current.bytes));
    if (isUnchanged(current, row?.body, after)) return;
    units.countLater(() => addIndexUnits(units, table.definition, current.item, after));
    if (after && row) table.rows.put(key, after, row);
    else table.rows.remove(key);
    const { streamViewType } = table.definition;
    if (streamViewType) this.#records.add(table, streamViewType, { key, before: current, after: row });
  }

  /** Carries out `BatchWriteItem`, which is several independent writes without conditions. */
  batch(input: unknown): object {
    const { RequestItems, ReturnConsumedCapacity } = checkedRequest<BatchWriteRequest>(input);
    const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
      requests.map((request) => this.#planBatched(TableName, request)),
    );
    if (writes.length === 0) throw invalid('The batch write request list for a table cannot be null or empty');
    if (writes.length > mostInBatch) throw invalid('Too many items requested for the BatchWriteItem call');
    assertDistinctRows(writes, 'Provided list of item keys contains duplicates');
    const units = new Map<string, Units>();
    for (const write of writes)
      this.#database.atomically(() => this.apply(write, write.request.Item, unitsOf(units, write)));
    return { UnprocessedItems: {}, ...consumedCapacities(ReturnConsumedCapacity, units) };
  }

  #planBatched(TableName: string, { PutRequest, DeleteRequest }: BatchedWrite): PlannedWrite {
    if (PutRequest && !DeleteRequest) return planWrite(this.#tables, 'Put', { TableName, Item: PutRequest.Item });
    if (!DeleteRequest || PutRequest)
      throw invalid(
        'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      );
    return planWrite(this.#tables, 'Delete', { TableName, Key: DeleteRequest.Key });
  }
}

/**
 * Whether a write does not change the row. Equal rows have JSON of the same length, with their attributes in any order.
 */
function isUnchanged(current: CurrentRow, body: string | undefined, after: AttributeMap | undefined): boolean {
  if (current.body?.length !== body?.length) return false;
  return current.body === body || isSameRow(current.item, after);
}

/** The units that a write adds for its table. */
export function unitsOf(units: Map<string, Units>, { table }: PlannedWrite): Units {
  const known = units.get(table.definition.name) ?? new Units();
  units.set(table.definition.name, known);
  return known;
}

/** Refuses a request that writes the same row twice. */
export function assertDistinctRows(writes: readonly PlannedWrite[], message: string): void {
  if (writes.length === 1) return;
  const rows = new Set(writes.map(({ table, key }) => JSON.stringify([table.id, ...key])));
  if (rows.size < writes.length) throw invalid(message);
}

function assertReturnValues(kind: WriteKind, wanted = 'NONE'): void {
  if (kind === 'Update' || wanted === 'NONE' || wanted === 'ALL_OLD') return;
  throw invalid('ReturnValues can only be ALL_OLD or NONE');
}

function returnedAttributes(write: PlannedWrite, after: AttributeMap | undefined): { Attributes?: AttributeMap } {
  const attributes = attributesOf(write, after);
  return attributes && Object.keys(attributes).length > 0 ? { Attributes: attributes } : {};
}

function attributesOf(write: PlannedWrite, after: AttributeMap | undefined): AttributeMap | undefined {
  const { current, request, update, scope } = write;
  const paths = (update?.root ?? []).map(({ path }) => path);
  switch (request.ReturnValues) {
    case 'ALL_OLD':
      return current.item;
    case 'ALL_NEW':
      return after;
    case 'UPDATED_OLD':
      return current.item && project(current.item, paths, scope);
    case 'UPDATED_NEW':
      return after && project(after, paths, scope);
    default:
      return undefined;
  }
}
