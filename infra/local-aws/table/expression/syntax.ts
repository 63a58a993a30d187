/** The members of a request that contain expressions, with their names in error messages. */
export type ExpressionKind =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'ProjectionExpression'
  | 'UpdateExpression';

/** The parts of a path: names, placeholders of names (`#data`), and positions in lists. */
export type DocumentPath = readonly (string | number)[];

export type Operand =
  | { is: 'path'; path: DocumentPath }
  | { is: 'value'; placeholder: string }
  | { is: 'size'; of: Operand }
  | { is: 'default'; path: DocumentPath; otherwise: Operand }
  | { is: 'append'; left: Operand; right: Operand }
  | { is: 'sum'; left: Operand; right: Operand; sign: 1 | -1 };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type PredicateName = 'attribute_exists' | 'attribute_not_exists' | 'attribute_type' | 'begins_with' | 'contains';

export type Condition =
  | { is: 'compare'; left: Operand; comparator: Comparator; right: Operand }
  | { is: 'between'; operand: Operand; from: Operand; to: Operand }
  | { is: 'in'; operand: Operand; among: readonly Operand[] }
  | { is: 'call'; name: PredicateName; operands: readonly Operand[] }
  | { is: 'not'; condition: Condition }
  | { is: 'and' | 'or'; left: Condition; right: Condition };

export type UpdateAction =
  | { is: 'SET' | 'ADD' | 'DELETE'; path: DocumentPath; operand: Operand }
  | { is: 'REMOVE'; path: DocumentPath };

/** A parsed expression. It does not contain the values of its placeholders, so many requests can use it. */
export interface ParsedExpression<Root> {
  kind: ExpressionKind;
  root: Root;
  /** The placeholders in it, of names and of values. */
  placeholders: ReadonlySet<string>;
}
