import type { TableDefinition } from '../tables/definition.ts';
import { indexEntryOf, indexKeyOf } from '../tables/keys.ts';
import { type AttributeMap, isSameRow } from './attribute-value.ts';
import { measureItem } from './value-size.ts';

/** The capacity units that requests use, for the table and for each index. */
export class Units {
  table = 0;
  readonly #indexes = new Map<string, number>();
  readonly #counts: (() => void)[] = [];

  addToIndex(name: string, units: number): void {
    if (units > 0) this.#indexes.set(name, (this.#indexes.get(name) ?? 0) + units);
  }

  /** Adds a count that is only carried out if a request asks for the units. Most requests do not. */
  countLater(count: () => void): void {
    this.#counts.push(count);
  }

  get indexes(): ReadonlyMap<string, number> {
    for (const count of this.#counts.splice(0)) count();
    return this.#indexes;
  }

  get total(): number {
    return [...this.indexes.values()].reduce((total, units) => total + units, this.table);
  }
}

/** The units of a write: one for each kilobyte, rounded up. A missing row counts as one. */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1_024));

/** The units of a read: one for every four kilobytes, rounded up. It is half of that if the read is not consistent. */
export const readUnits = (bytes: number, isConsistent: boolean | undefined): number =>
  Math.max(1, Math.ceil(bytes / 4_096)) * (isConsistent ? 1 : 0.5);

/**
 * Counts the write units of a change in the indexes. An entry that is added, removed or changed counts one, and an
 * entry whose key changes counts two. In a transaction, these are counted once, unlike the units of the table.
 */
export function addIndexUnits(
  units: Units,
  table: TableDefinition,
  before: AttributeMap | undefined,
  after: AttributeMap | undefined,
): void {
  for (const index of table.indexes) {
    const entries = [before, after].map((item) =>
      item && indexKeyOf(index, item) ? indexEntryOf(table, index, item) : undefined,
    );
    const [old, current] = entries.map((entry) => (entry ? writeUnits(measureItem(entry)) : 0)) as [number, number];
    const isMoved = String(indexKeyOf(index, before)) !== String(indexKeyOf(index, after));
    if (isMoved) units.addToIndex(index.name, old + current);
    else if (old > 0 && !isSameRow(...(entries as [AttributeMap, AttributeMap])))
      units.addToIndex(index.name, Math.max(old, current));
  }
}

type Direction = 'ReadCapacityUnits' | 'WriteCapacityUnits';

/** The report of used capacity in a response, with the details that the request wants. */
export function consumedCapacity(
  level: string | undefined,
  tableName: string,
  units: Units,
  direction?: Direction,
): { ConsumedCapacity?: object } {
  if (level !== 'TOTAL' && level !== 'INDEXES') return {};
  const written = (count: number) => ({ CapacityUnits: count, ...(direction && { [direction]: count }) });
  const indexes = [...units.indexes].map(([name, count]) => [name, written(count)]);
  const byPlace = {
    Table: written(units.table),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: Object.fromEntries(indexes) }),
  };
  return { ConsumedCapacity: { TableName: tableName, ...written(units.total), ...(level === 'INDEXES' && byPlace) } };
}

/** The report of used capacity for a request on several tables. */
export function consumedCapacities(
  level: string | undefined,
  units: ReadonlyMap<string, Units>,
  direction?: Direction,
): { ConsumedCapacity?: object[] } {
  const consumed = [...units].flatMap(
    ([name, each]) => consumedCapacity(level, name, each, direction).ConsumedCapacity ?? [],
  );
  return consumed.length > 0 ? { ConsumedCapacity: consumed } : {};
}
