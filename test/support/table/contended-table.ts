import { setTimeout as pause } from 'node:timers/promises';
import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { tableSchema } from '../../../shared/store/table/table-schema.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { type Command, type Send, sendThrough } from './send-through.ts';
import { type Peak, tableUnits } from './table-units.ts';

/** The times that DynamoDB needs to read a row, to prepare a transaction, to carry it out, and to write one row. */
const pace = { readMs: 4, prepareMs: 4, commitMs: 8, writeMs: 4 };

interface Contention {
  /** The number of writes that were refused because a transaction was writing one of their rows. */
  conflicts: number;
  /** The number of calls that were refused because a partition key had no units left. */
  throttled: number;
  /** The most units that were used in a second. */
  peaks: () => Record<'writes' | 'reads', Peak>;
  restore(): void;
}

type Row = Record<string, unknown>;
type Written = Record<string, { Item?: Row; Key?: Row }>;

const keyOf = ({ pk, sk }: Row): string => `${pk} ${sk}`;
const rowOf = ({ Item, Key }: { Item?: Row; Key?: Row }): Row => Item ?? Key ?? {};

const rowsIn = ({ input }: Command): Row[] =>
  (input['TransactItems'] as Written[]).flatMap((item) => Object.values(item).map(rowOf));

const cancelled = (codes: string[]): Error =>
  new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

const throttle = (): Error =>
  new ProvisionedThroughputExceededException({ message: 'Too much', $metadata: { httpStatusCode: 400 } });

/** The partitions that a call reads: one for each row, or that of a query. */
const readIn = ({ input }: Command): string[] => {
  const batch = Object.values((input['RequestItems'] ?? {}) as Record<string, { Keys: Row[] }>);
  const values = (input['ExpressionAttributeValues'] ?? {}) as Row;
  const own = (input['Key'] as Row | undefined)?.['pk'] ?? values[':pk'] ?? values[':partition'];
  return [
    ...batch.flatMap(({ Keys }) => Keys.map(({ pk }) => String(pk))),
    ...(own === undefined ? [] : [String(own)]),
  ];
};

/** The rows of an answer. */
const rowsOf = (answer: Record<string, unknown>): Row[] => [
  ...Object.values((answer['Responses'] ?? {}) as Record<string, Row[]>).flat(),
  ...((answer['Items'] ?? []) as Row[]),
  ...(answer['Item'] ? [answer['Item'] as Row] : []),
];

const indexKeys = Object.values(tableSchema.indexes).map(({ partitionKey }) => partitionKey);
const single = new Set(['PutCommand', 'UpdateCommand']);

/**
 * Gives the local table the speed, the conflicts and the limits of DynamoDB. While a transaction is being written,
 * every other write of one of its rows is cancelled. A running write of a row also cancels a transaction with that row.
 * Single writes of one row wait for each other and do not conflict. The local table alone has no such conflicts or
 * limits.
 */
export function contend(): Contention {
  const locked = new Set<string>();
  const writing = new Map<string, number>();
  const units = tableUnits();
  const contention = { conflicts: 0, throttled: 0 };
  const isBusy = (key: string) => locked.has(key) || (writing.get(key) ?? 0) > 0;
  const admit = (direction: 'writes' | 'reads', partitions: readonly string[]) => {
    if (partitions.every((partition) => units.hasRoom(direction, partition))) return;
    contention.throttled += 1;
    throw throttle();
  };
  const charge = (rows: readonly Row[], times: 1 | 2) => {
    for (const row of rows) {
      units.write(String(row['pk']), times * units.writtenSize(keyOf(row), row));
      for (const index of indexKeys) if (row[index] !== undefined) units.write(String(row[index]), 1);
    }
  };
  const transact = async (send: Send, command: Command) => {
    const rows = rowsIn(command);
    const keys = rows.map(keyOf);
    await pause(pace.prepareMs);
    if (keys.some(isBusy)) {
      contention.conflicts += 1;
      throw cancelled(keys.map((key) => (isBusy(key) ? 'TransactionConflict' : 'None')));
    }
    admit(
      'writes',
      rows.map(({ pk }) => String(pk)),
    );
    for (const key of keys) locked.add(key);
    try {
      await pause(pace.commitMs);
      charge(rows, 2);
      return await send(command);
    } finally {
      for (const key of keys) locked.delete(key);
    }
  };
  const write = async (send: Send, command: Command) => {
    const row = rowOf(command.input as Written[string]);
    const key = keyOf(row);
    if (locked.has(key)) {
      contention.conflicts += 1;
      throw new TransactionConflictException({ message: 'Transaction is ongoing', $metadata: { httpStatusCode: 400 } });
    }
    admit('writes', [String(row['pk'])]);
    writing.set(key, (writing.get(key) ?? 0) + 1);
    try {
      await pause(pace.writeMs);
      charge([row], 1);
      return await send(command);
    } finally {
      writing.set(key, (writing.get(key) ?? 1) - 1);
    }
  };
  const read = async (send: Send, command: Command) => {
    const partitions = readIn(command);
    admit('reads', partitions);
    await pause(pace.readMs);
    const answer = await send(command);
    units.read(command.input['IndexName'] === undefined ? 1 : 0.5, partitions, rowsOf(answer));
    return answer;
  };
  const restore = sendThrough(table().client, (send) => async (command) => {
    const { name } = command.constructor;
    if (name === 'TransactWriteCommand') return transact(send, command);
    return single.has(name) ? write(send, command) : read(send, command);
  });
  return Object.assign(contention, { peaks: units.peaks, restore });
}
