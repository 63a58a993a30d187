import {
  deliveriesDuePartition,
  duePartition,
  grantsDuePartition,
  holdsDuePartition,
  type RowKey,
  sessionsDuePartition,
} from '../../../shared/store/keys.ts';
import type { Command } from '../table/send-through.ts';

/**
 * The rows that a call of the table reads and writes. A query counts as a read of the whole partition. A query of the
 * index of due rows counts as a read of all rows that can be due there, a query of another index as a read of all rows.
 */
export interface Footprint {
  reads: ReadonlySet<string>;
  writes: ReadonlySet<string>;
}

/** The footprint of a step that reads or changes something that every call depends on, such as the clock. */
export const everything: Footprint = { reads: new Set(['*']), writes: new Set(['*']) };
/** The footprint of a step that touches nothing that another command can see. */
export const nothing: Footprint = { reads: new Set(), writes: new Set() };

interface Written {
  Key?: RowKey;
  Item?: RowKey & { duePk?: string };
  UpdateExpression?: string;
  ExpressionAttributeValues?: Record<string, unknown>;
}

const rowOf = ({ pk, sk }: RowKey): string => `${pk}\n${sk}`;
const partitionOf = (pk: string): string => `${pk}\n`;

/** The partition of due rows that has a row while it is due. Undefined for a row that is never due. */
function duePlaceOf({ pk, sk }: RowKey): string | undefined {
  const [kind = '', part = ''] = sk.split('#');
  const [, id = ''] = pk.split('#');
  if (['EVENT', 'PAYMENT', 'REFUND', 'DISPUTE'].includes(kind)) return duePartition(id);
  if (kind === 'DELIVERY') return deliveriesDuePartition(part);
  return {
    SESSION: sessionsDuePartition,
    GRANTS: grantsDuePartition,
    HOLD: holdsDuePartition,
    CUSTOMER: 'DUE#ERASURE',
  }[kind];
}

/** The row that a call writes. Refuses a call that makes it due in another partition, because its readers would be missed. */
function written({ Key, Item, UpdateExpression = '', ExpressionAttributeValues: values = {} }: Written): string {
  const key = (Key ?? Item) as RowKey;
  const due = Item?.duePk ?? (/\bduePk *=/.test(UpdateExpression) ? values[':duePk'] : duePlaceOf(key));
  if (due !== duePlaceOf(key)) throw new Error(`${key.pk} ${key.sk} is due in ${due}, not in ${duePlaceOf(key)}.`);
  return rowOf(key);
}

/** The due rows of a partition, in what a call reads. No row has such a name. */
const dueRowsOf = (partition: string): string => `due in ${partition}`;

const only = (part: 'reads' | 'writes', rows: Iterable<string>): Footprint => ({ ...nothing, [part]: new Set(rows) });

type Batch = Record<string, { Keys: RowKey[] }>;

const footprints: Record<string, (input: Record<string, unknown>) => Footprint> = {
  GetCommand: ({ Key }) => only('reads', [rowOf(Key as RowKey)]),
  BatchGetCommand: ({ RequestItems }) =>
    only(
      'reads',
      Object.values(RequestItems as Batch).flatMap(({ Keys }) => Keys.map(rowOf)),
    ),
  QueryCommand: ({ IndexName, ExpressionAttributeValues }) => {
    const values = ExpressionAttributeValues as Record<string, string>;
    if (IndexName === 'due') return only('reads', [dueRowsOf(values[':partition'] as string)]);
    return only('reads', [IndexName ? '*' : partitionOf(values[':pk'] as string)]);
  },
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

function isIn(others: ReadonlySet<string>, row: string): boolean {
  const [pk = '', sk = ''] = row.split('\n');
  const due = duePlaceOf({ pk, sk });
  return others.has(row) || others.has(partitionOf(pk)) || (due !== undefined && others.has(dueRowsOf(due)));
}

const meets = (written: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  written.size > 0 &&
  others.size > 0 &&
  (written.has('*') || others.has('*') || [...written].some((row) => isIn(others, row)));

/** Says whether two calls have the same effect and the same answers in both orders. */
export const areIndependent = (a: Footprint, b: Footprint): boolean =>
  !meets(a.writes, b.reads) && !meets(a.writes, b.writes) && !meets(b.writes, a.reads);
