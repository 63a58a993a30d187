import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { busy } from '../../domain/errors.ts';
import { toUnavailable, unanswered } from './errors.ts';
import { persist } from './persist.ts';
import { plainRow } from './refusal.ts';
import type { Table } from './table.ts';
import type { Item, RowPut } from './write.ts';

const stampBytes = 9;

/**
 * Writes one row without a transaction, for half the cost. The table has no idempotency token for such a write, so the
 * row contains a stamp. If a repeated write finds its own stamp, the first one succeeded.
 */
export async function putAlone(table: Table, write: RowPut): Promise<void> {
  const stamp = randomBytes(stampBytes).toString('base64url');
  const put: PutCommandInput = {
    TableName: table.name,
    Item: { ...write.put, stamp },
    ...write.condition,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
  const isOutdated = (error: unknown) => isConflict(error) && write.isOutdatedByConflict === true;
  try {
    await persist(
      async ({ abortSignal, isUncertain }) => {
        const error = await table.client.send(new PutCommand(put), { abortSignal }).then(() => undefined, refusalOf);
        if (error) assertOwn(write, stamp, { error, isUncertain });
      },
      { isCancelled: isConflict, isOutdated },
    );
  } catch (error) {
    throw isConflict(error) ? (write.contention?.() ?? busy(error)) : toUnavailable(error);
  }
}

const isConflict = (error: unknown): boolean => error instanceof Error && error.name === 'TransactionConflictException';

function refusalOf(error: unknown): ConditionalCheckFailedException {
  if (error instanceof ConditionalCheckFailedException) return error;
  throw error;
}

interface Refused {
  error: ConditionalCheckFailedException;
  isUncertain: boolean;
}

/**
 * Accepts a refusal if the stored row has the stamp of this write. For any other row, it throws the error that the
 * write defines.
 */
function assertOwn({ put, refusal }: RowPut, stamp: string, { error, isUncertain }: Refused): void {
  const existing = plainRow(error.Item);
  if (existing?.['stamp'] === stamp) return;
  const wasRepeated = isUncertain || (error.$metadata.attempts ?? 1) > 1;
  throw wasRepeated && isBeyond(existing, put) ? unanswered(error) : refusal(existing);
}

/** Whether the stored version is later than the one to write. Then it is unknown who wrote the versions between. */
const isBeyond = (existing: Item | undefined, put: Item): boolean =>
  Number(existing?.['version']) > Number(put['version']);
