import { setTimeout as pause } from 'node:timers/promises';
import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { table } from '../../../shared/wiring/runtime.ts';
import { type Command, type Send, sendThrough } from './send-through.ts';

/** The times that DynamoDB needs to read a row, to prepare a transaction, to carry it out, and to write one row. */
const pace = { readMs: 4, prepareMs: 4, commitMs: 8, writeMs: 4 };

/** The write units of one partition key per second: a row costs one unit per kilobyte, and two in a transaction. */
const unitsPerSecond = 1_000;

interface Contention {
  /** The number of writes that were refused because a transaction was writing one of their rows. */
  conflicts: number;
  /** The number of writes that were refused because their partition had no units left. */
  throttled: number;
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

/** Counts the used units of each partition key in the current second. */
function metered(): (rows: readonly Row[], unitsEach: number) => boolean {
  const spent = new Map<string, { second: number; units: number }>();
  return (rows, unitsEach) => {
    const second = Math.floor(performance.now() / 1_000);
    for (const { pk } of rows) {
      const known = spent.get(String(pk));
      const units = known?.second === second ? known.units : 0;
      if (units + unitsEach > unitsPerSecond) return false;
      spent.set(String(pk), { second, units: units + unitsEach });
    }
    return true;
  };
}

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
  const takes = metered();
  const contention = { conflicts: 0, throttled: 0 };
  const isBusy = (key: string) => locked.has(key) || (writing.get(key) ?? 0) > 0;
  const meter = (rows: readonly Row[], units: number) => {
    if (takes(rows, units)) return;
    contention.throttled += 1;
    throw throttle();
  };
  const transact = async (send: Send, command: Command) => {
    const rows = rowsIn(command);
    const keys = rows.map(keyOf);
    await pause(pace.prepareMs);
    if (keys.some(isBusy)) {
      contention.conflicts += 1;
      throw cancelled(keys.map((key) => (isBusy(key) ? 'TransactionConflict' : 'None')));
    }
    meter(rows, 2);
    for (const key of keys) locked.add(key);
    try {
      await pause(pace.commitMs);
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
    meter([row], 1);
    writing.set(key, (writing.get(key) ?? 0) + 1);
    try {
      await pause(pace.writeMs);
      return await send(command);
    } finally {
      writing.set(key, (writing.get(key) ?? 1) - 1);
    }
  };
  const restore = sendThrough(table().client, (send) => async (command) => {
    const { name } = command.constructor;
    if (name === 'TransactWriteCommand') return transact(send, command);
    if (single.has(name)) return write(send, command);
    await pause(pace.readMs);
    return send(command);
  });
  return Object.assign(contention, { restore });
}
