import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { DomainError } from '../../domain/errors.ts';
import type { Item } from './write.ts';

export const busy = (cause: unknown): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'Too many requests changed this object at once. Nothing was changed by this one. Try again.',
    { cause },
  );

const scalar = ({ S, N, BOOL, NULL }: AttributeValue): unknown =>
  S ?? BOOL ?? (NULL ? null : N === undefined ? undefined : Number(N));

/** The row that stood in the way: the document client translates answers, but not what an error carries. Only plain values are read. */
export const plainRow = (item: Record<string, AttributeValue> | undefined): Item | undefined =>
  item && Object.fromEntries(Object.entries(item).map(([name, value]) => [name, scalar(value)]));
