import { setTimeout as pause } from 'node:timers/promises';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { table } from '../../../shared/runtime.ts';
import { type Command, type Send, sendThrough } from './send-through.ts';

/** How long DynamoDB takes to read a row, to prepare a transaction, and to carry it out. */
const pace = { readMs: 4, prepareMs: 4, commitMs: 8 };

interface Contention {
  /** Transactions that were refused because another one was writing one of their rows. */
  conflicts: number;
  restore(): void;
}

type Row = Record<string, unknown>;

const keyOf = ({ pk, sk }: Row): string => `${pk} ${sk}`;

const keysOf = ({ input }: Command): string[] =>
  (input['TransactItems'] as { Put: { Item: Row } }[]).map(({ Put: { Item } }) => keyOf(Item));

const cancelled = (codes: string[]): Error =>
  new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/**
 * Gives the table of this process the pace of DynamoDB, and its conflicts: while a transaction is being written, every other one
 * that wants one of its rows is cancelled. The table on this machine never does that.
 */
export function contend(): Contention {
  const locked = new Set<string>();
  const contention = { conflicts: 0 };
  const transact = async (send: Send, command: Command) => {
    const keys = keysOf(command);
    await pause(pace.prepareMs);
    if (keys.some((key) => locked.has(key))) {
      contention.conflicts += 1;
      throw cancelled(keys.map((key) => (locked.has(key) ? 'TransactionConflict' : 'None')));
    }
    for (const key of keys) locked.add(key);
    try {
      await pause(pace.commitMs);
      return await send(command);
    } finally {
      for (const key of keys) locked.delete(key);
    }
  };
  const restore = sendThrough(table().client, (send) => async (command) => {
    if (command.constructor.name === 'TransactWriteCommand') return transact(send, command);
    if (command.constructor.name === 'PutCommand' && locked.has(keyOf(command.input['Item'] as Row))) {
      contention.conflicts += 1;
      throw new TransactionConflictException({ message: 'Transaction is ongoing', $metadata: { httpStatusCode: 400 } });
    }
    await pause(pace.readMs);
    return send(command);
  });
  return Object.assign(contention, { restore });
}
