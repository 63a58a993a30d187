import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AttributeValue, type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { DomainError } from '../domain/errors.ts';
import { isPassing, toUnavailable } from './errors.ts';
import { forgetAhead } from './read.ts';
import type { Table } from './table.ts';

export type Item = Record<string, unknown>;

interface Condition {
  ConditionExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** One row of a transaction, and what it means when its condition does not hold. */
export interface Write {
  put: Item;
  condition?: Condition;
  /** Told the row that stood in the way. */
  refusal: (existing: Item | undefined) => Error;
  /** What it means when somebody else keeps writing the row; a 503 where nothing is said. */
  contention?: () => Error;
  /** Whether a row that is being written by another transaction makes this write outdated: sending it again is in vain. */
  isOutdatedByConflict?: boolean;
}

/** The row must not exist. */
export const ifAbsent: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/** The row must still be the one that was read. */
export const ifVersion = (version: number): Condition => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

interface Versioned {
  version: number;
}

/** The row of an object that replaces the one that was read, or is the first: nobody else may have written in between. */
export function versionedWrite<T extends Versioned>(data: T, attributes: Item, refusal: Write['refusal']): Write {
  const version = data.version + 1;
  const put = { ...attributes, version, data: { ...data, version } };
  const condition = data.version === 0 ? ifAbsent : ifVersion(data.version);
  return { put, condition, refusal, contention: () => refusal(undefined), isOutdatedByConflict: true };
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const toTransactItem = (table: Table, { put, condition }: Write): TransactItem => ({
  Put: { TableName: table.name, Item: put, ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
});

const maxTries = 5;
const withinMs = 2_000;

/** Writes all rows or none. The first write whose condition failed says why; order them by who has the first word. */
export async function commit(table: Table, writes: readonly Write[]): Promise<void> {
  const TransactItems = writes.map((write) => toTransactItem(table, write));
  forgetAhead();
  try {
    const isOutdated = (error: unknown) => contendedOf(error, writes)?.isOutdatedByConflict === true;
    await persist(table, { TransactItems, ClientRequestToken: randomUUID() }, isOutdated);
  } catch (error) {
    throw explain(error, writes);
  }
}

/**
 * Sends the same bytes under the same token until the table has decided: what was done unnoticed is reported, not done again.
 * When the time is up nobody knows whether it was done, and whoever asks again finds out. What a conflict makes outdated is given
 * up at once, unless an earlier try may have been carried out.
 */
async function persist(
  table: Table,
  transaction: TransactWriteCommandInput,
  isOutdated: (error: unknown) => boolean,
): Promise<void> {
  const abortSignal = AbortSignal.timeout(withinMs);
  let isUncertain = false;
  for (let tries = 1; ; tries += 1) {
    try {
      await table.client.send(new TransactWriteCommand(transaction), { abortSignal });
      return;
    } catch (error) {
      const isInVain = !mayPass(error) || (!isUncertain && isOutdated(error));
      if (isInVain || tries === maxTries || abortSignal.aborted) throw error;
      isUncertain ||= !isCancelledInPassing(error);
      await pause(Math.random() * 50 * 2 ** tries);
    }
  }
}

/** Reasons that have nothing to do with what is written. */
const passingReasons = new Set(['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

const isCancelledInPassing = (error: unknown): boolean =>
  error instanceof TransactionCanceledException && reasonsOf(error).every(({ Code = '' }) => passingReasons.has(Code));

const mayPass = (error: unknown): boolean => isCancelledInPassing(error) || isPassing(error);

const reasonsOf = (error: unknown): CancellationReason[] =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];

function explain(error: unknown, writes: readonly Write[]): unknown {
  const reasons = reasonsOf(error);
  const failed = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const refused = writes[failed];
  if (refused) return refused.refusal(unmarshalled(reasons[failed]?.Item));
  if (!isCancelledInPassing(error)) return toUnavailable(error);
  return contendedOf(error, writes)?.contention?.() ?? busy(error);
}

/** The first write whose row another transaction was writing, of those that say what that means. */
function contendedOf(error: unknown, writes: readonly Write[]): Write | undefined {
  if (!isCancelledInPassing(error)) return undefined;
  const reasons = reasonsOf(error);
  return writes.find((write, index) => write.contention && reasons[index]?.Code === 'TransactionConflict');
}

const busy = (cause: unknown): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'Too much at once on this object; nothing was changed. Try again.', { cause });

const scalar = ({ S, N, BOOL, NULL }: AttributeValue): unknown =>
  S ?? BOOL ?? (NULL ? null : N === undefined ? undefined : Number(N));

/** The row that stood in the way: the document client translates answers, but not what an error carries. Only plain values are read. */
const unmarshalled = (item: Record<string, AttributeValue> | undefined): Item | undefined =>
  item && Object.fromEntries(Object.entries(item).map(([name, value]) => [name, scalar(value)]));
