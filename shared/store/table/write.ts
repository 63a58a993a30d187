import type { RowKey } from '../keys.ts';

export type Item = Record<string, unknown>;

export interface WriteCondition {
  ConditionExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** How a refused write is understood. */
interface WriteMeaning {
  /** Makes the error from the row that caused the refusal. */
  refusal: (existing: Item | undefined) => Error;
  /** The error if other writers keep changing the row; 503 by default. */
  contention?: () => Error;
  /** Whether a conflict with another transaction makes this write outdated. Then a retry is useless. */
  isOutdatedByConflict?: boolean;
}

/** Writes a whole row in a transaction. */
export interface RowPut extends WriteMeaning {
  put: Item;
  condition?: WriteCondition;
}

/** Changes a row in place. It is for rows that several writers change at the same time. */
export interface RowUpdate extends WriteMeaning {
  update: WriteCondition & { Key: RowKey; UpdateExpression: string };
}

/** A write of one row in a transaction, with the error that is thrown if its condition fails. */
export type Write = RowPut | RowUpdate;
