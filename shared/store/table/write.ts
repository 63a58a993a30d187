import type { RowKey } from '../keys.ts';

export type Item = Record<string, unknown>;

export interface WriteCondition {
  ConditionExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** What a write means when it does not happen. */
interface WriteMeaning {
  /** Called with the row that caused the refusal. */
  refusal: (existing: Item | undefined) => Error;
  /** The error if other writers keep changing the row; 503 by default. */
  contention?: () => Error;
  /** Whether a row that is being written by another transaction makes this write outdated: sending it again is in vain. */
  isOutdatedByConflict?: boolean;
}

/** A whole row of a transaction. */
export interface RowPut extends WriteMeaning {
  put: Item;
  condition?: WriteCondition;
}

/** A change of a row in place, for rows that others change at the same time. */
export interface RowUpdate extends WriteMeaning {
  update: WriteCondition & { Key: RowKey; UpdateExpression: string };
}

/** One row of a transaction, and what it means when its condition does not hold. */
export type Write = RowPut | RowUpdate;
