import { randomUUID } from 'node:crypto';
import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { busy } from '../../domain/errors.ts';
import { toUnavailable } from './errors.ts';
import { persist } from './persist.ts';
import { forgetAhead } from './read.ts';
import { plainRow } from './refusal.ts';
import { putAlone } from './single-write.ts';
import type { Table } from './table.ts';
import type { Item, RowPut, Write, WriteCondition } from './write.ts';

/** The condition that the row does not exist. */
export const ifAbsent: WriteCondition = { ConditionExpression: 'attribute_not_exists(pk)' };

/** The condition that the row is unchanged since it was read. */
export const ifVersion = (version: number): WriteCondition => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

interface Versioned {
  version: number;
}

/**
 * Writes the first version of an object, or replaces the version that was read. Fails if another writer came in
 * between.
 */
export function versionedWrite<T extends Versioned>(data: T, attributes: Item, refusal: Write['refusal']): RowPut {
  const version = data.version + 1;
  const put = { ...attributes, version, data: { ...data, version } };
  const condition = data.version === 0 ? ifAbsent : ifVersion(data.version);
  return { put, condition, refusal, contention: () => refusal(undefined), isOutdatedByConflict: true };
}

/**
 * The same write for a row that version 0.2.0 must not write, because it would drop unknown fields. The version of the
 * row is half a number higher than that of its object. 0.2.0 compares the two, so its write fails and its caller tries
 * later.
 */
export function closedToEarlier(write: RowPut, { version }: Versioned, isClosed: boolean): RowPut {
  const put = isClosed ? { ...write.put, version: version + 1.5 } : write.put;
  if (version === 0) return { ...write, put };
  const condition = {
    ConditionExpression: 'version IN (:version, :closed)',
    ExpressionAttributeValues: { ':version': version, ':closed': version + 0.5 },
  };
  return { ...write, put, condition };
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

function toTransactItem({ name: TableName }: Table, write: Write): TransactItem {
  const common = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  return 'put' in write
    ? { Put: { ...common, Item: write.put, ...write.condition } }
    : { Update: { ...common, ...write.update } };
}

/**
 * Writes all rows or none. The first write with a failed condition decides the error, so the order matters. An eager
 * commit is for rows that many transactions write, each for a moment.
 */
export async function commit(table: Table, writes: readonly Write[], { isEager = false } = {}): Promise<void> {
  forgetAhead();
  const [only, ...others] = writes;
  if (only && 'put' in only && others.length === 0) return putAlone(table, only);
  const TransactItems = writes.map((write) => toTransactItem(table, write));
  // With a token, the table does not carry out a transaction again that succeeded without an answer.
  const transaction = { TransactItems, ClientRequestToken: randomUUID() };
  try {
    const isOutdated = (error: unknown) => contendedOf(error, writes)?.isOutdatedByConflict === true;
    const send = ({ abortSignal }: { abortSignal: AbortSignal }) =>
      table.client.send(new TransactWriteCommand(transaction), { abortSignal });
    await persist(send, { isCancelled: isCancelledInPassing, isOutdated, isEager });
  } catch (error) {
    throw explain(error, writes);
  }
}

/** Reasons of a failed transaction that have nothing to do with its data. */
const passingReasons = new Set(['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

const isCancelledInPassing = (error: unknown): boolean =>
  error instanceof TransactionCanceledException && reasonsOf(error).every(({ Code = '' }) => passingReasons.has(Code));

const reasonsOf = (error: unknown): CancellationReason[] =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];

function explain(error: unknown, writes: readonly Write[]): unknown {
  const reasons = reasonsOf(error);
  const failed = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const refused = writes[failed];
  if (refused) return refused.refusal(plainRow(reasons[failed]?.Item));
  if (!isCancelledInPassing(error)) return toUnavailable(error);
  return contendedOf(error, writes)?.contention?.() ?? busy(error);
}

/** Finds the first write whose row another transaction was writing, and that defines an error for this case. */
function contendedOf(error: unknown, writes: readonly Write[]): Write | undefined {
  if (!isCancelledInPassing(error)) return undefined;
  const reasons = reasonsOf(error);
  return writes.find((write, index) => write.contention && reasons[index]?.Code === 'TransactionConflict');
}
