import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { keys } from '../keys.ts';
import { unavailable } from '../table/errors.ts';
import { findItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';

export interface ThrottleStore {
  /** Adds one to the count of an hour, and returns the new count. */
  count(hash: string, at: Date): Promise<number>;
  /** The count of an hour, without adding to it. */
  seen(hash: string, at: Date): Promise<number>;
}

const Counter = z.object({ seen: z.int() });

/** How long a count is kept. After two hours, even a slow clock no longer counts in that hour. */
const keptSeconds = 2 * 3_600;

const hourOf = (at: Date): string => at.toISOString().slice(0, 13);

export const throttleStore = (table: Table): ThrottleStore => ({
  seen: async (hash, at) => {
    const counter = await findItem(table, keys.throttle(hash, hourOf(at)));
    return counter ? Counter.parse(counter).seen : 0;
  },
  count: async (hash, at) => {
    const hour = hourOf(at);
    const command = new UpdateCommand({
      TableName: table.name,
      Key: keys.throttle(hash, hour),
      UpdateExpression: 'SET seen = if_not_exists(seen, :zero) + :one, #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':zero': 0,
        ':one': 1,
        ':ttl': Date.parse(`${hour}:00:00Z`) / 1_000 + keptSeconds,
      },
      ReturnValues: 'ALL_NEW',
    });
    const { Attributes } = await table.client.send(command).catch(unavailable);
    return Counter.parse(Attributes).seen;
  },
});
