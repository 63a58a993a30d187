export type Item = Record<string, unknown>;

export interface WriteCondition {
  ConditionExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** One row of a transaction, and what it means when its condition does not hold. */
export interface Write {
  put: Item;
  condition?: WriteCondition;
  /** Called with the row that caused the refusal. */
  refusal: (existing: Item | undefined) => Error;
  /** The error if other writers keep changing the row; 503 by default. */
  contention?: () => Error;
  /** Whether a row that is being written by another transaction makes this write outdated: sending it again is in vain. */
  isOutdatedByConflict?: boolean;
}
