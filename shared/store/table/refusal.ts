import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './write.ts';

const scalar = ({ S, N, BOOL, NULL }: AttributeValue): unknown =>
  S ?? BOOL ?? (NULL ? null : N === undefined ? undefined : Number(N));

/** The row that stood in the way: the document client translates answers, but not what an error carries. Only plain values are read. */
export const plainRow = (item: Record<string, AttributeValue> | undefined): Item | undefined =>
  item && Object.fromEntries(Object.entries(item).map(([name, value]) => [name, scalar(value)]));
