import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './write.ts';

/** The row that caused a refusal, as plain values. The document client does not convert rows inside errors. */
export const plainRow = (item: Record<string, AttributeValue> | undefined): Item | undefined =>
  item && unmarshall(item);
