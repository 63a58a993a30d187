import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './write.ts';

/** The row that stood in the way: the document client does not translate what an error carries. */
export const plainRow = (item: Record<string, AttributeValue> | undefined): Item | undefined =>
  item && unmarshall(item);
