import { type AttributeValue, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { DomainError } from '../domain/errors.ts';
import { toUnavailable } from './errors.ts';
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
  return { put, condition: data.version === 0 ? ifAbsent : ifVersion(data.version), refusal };
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const toTransactItem = (table: Table, { put, condition }: Write): TransactItem => ({
  Put: { TableName: table.name, Item: put, ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
});

/** Writes all rows or none. The first write whose condition failed says why; order them by who has the first word. */
export async function commit(table: Table, writes: readonly Write[]): Promise<void> {
  const TransactItems = writes.map((write) => toTransactItem(table, write));
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems }));
  } catch (error) {
    throw explain(error, writes);
  }
}

function explain(error: unknown, writes: readonly Write[]): unknown {
  if (!(error instanceof TransactionCanceledException)) return toUnavailable(error);
  const reasons = error.CancellationReasons ?? [];
  const failed = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
  const write = writes[failed];
  if (write) return write.refusal(unmarshalled(reasons[failed]?.Item));
  return new DomainError('SERVICE_UNAVAILABLE', 'Too much at once on this object; nothing was changed. Try again.', {
    cause: error,
  });
}

const scalar = ({ S, N, BOOL, NULL }: AttributeValue): unknown =>
  S ?? BOOL ?? (NULL ? null : N === undefined ? undefined : Number(N));

/** The row that stood in the way: the document client translates answers, but not what an error carries. Only plain values are read. */
export const unmarshalled = (item: Record<string, AttributeValue> | undefined): Item | undefined =>
  item && Object.fromEntries(Object.entries(item).map(([name, value]) => [name, scalar(value)]));
