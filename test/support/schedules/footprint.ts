import type { Command } from '../table/send-through.ts';

/**
 * The rows that a call of the table reads and writes. A query counts as a read of the whole partition, a query of an
 * index as a read of all rows.
 */
export interface Footprint {
  reads: ReadonlySet<string>;
  writes: ReadonlySet<string>;
}

/** The footprint of a step that reads or changes something that every call depends on, such as the clock. */
export const everything: Footprint = { reads: new Set(['*']), writes: new Set(['*']) };
/** The footprint of a step that touches nothing that another command can see. */
export const nothing: Footprint = { reads: new Set(), writes: new Set() };

interface RowKey {
  pk: string;
  sk: string;
}

interface Written {
  Key?: RowKey;
  Item?: RowKey;
}

const rowOf = ({ pk, sk }: RowKey): string => `${pk}\n${sk}`;
const partitionOf = (pk: string): string => `${pk}\n`;

const written = ({ Key, Item }: Written): string => rowOf((Key ?? Item) as RowKey);

const only = (part: 'reads' | 'writes', rows: Iterable<string>): Footprint => ({ ...nothing, [part]: new Set(rows) });

type Batch = Record<string, { Keys: RowKey[] }>;

const footprints: Record<string, (input: Record<string, unknown>) => Footprint> = {
  GetCommand: ({ Key }) => only('reads', [rowOf(Key as RowKey)]),
  BatchGetCommand: ({ RequestItems }) =>
    only(
      'reads',
      Object.values(RequestItems as Batch).flatMap(({ Keys }) => Keys.map(rowOf)),
    ),
  QueryCommand: ({ IndexName, ExpressionAttributeValues: values }) =>
    only('reads', [IndexName ? '*' : partitionOf((values as Record<string, string>)[':pk'] as string)]),
  ScanCommand: () => only('reads', ['*']),
  PutCommand: (input) => only('writes', [written(input as Written)]),
  UpdateCommand: (input) => only('writes', [written(input as Written)]),
  DeleteCommand: (input) => only('writes', [written(input as Written)]),
  TransactWriteCommand: ({ TransactItems }) =>
    only(
      'writes',
      (TransactItems as Record<string, Written>[]).flatMap((item) => Object.values(item).map(written)),
    ),
};

export function footprintOf({ constructor: { name }, input }: Command): Footprint {
  const footprint = footprints[name];
  if (!footprint) throw new Error(`Which rows ${name} touches is not known.`);
  return footprint(input);
}

const isIn = (others: ReadonlySet<string>, row: string): boolean =>
  others.has(row) || others.has(row.slice(0, row.indexOf('\n') + 1));

const meets = (written: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  written.size > 0 &&
  others.size > 0 &&
  (written.has('*') || others.has('*') || [...written].some((row) => isIn(others, row)));

/** Says whether two calls have the same effect and the same answers in both orders. */
export const areIndependent = (a: Footprint, b: Footprint): boolean =>
  !meets(a.writes, b.reads) && !meets(a.writes, b.writes) && !meets(b.writes, a.reads);
