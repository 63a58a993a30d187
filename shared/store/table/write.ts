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
  /** Told the row that stood in the way. */
  refusal: (existing: Item | undefined) => Error;
  /** What it means when somebody else keeps writing the row; a 503 where nothing is said. */
  contention?: () => Error;
  /** Whether a row that is being written by another transaction makes this write outdated: sending it again is in vain. */
  isOutdatedByConflict?: boolean;
}
