import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { WebhookHealth } from '../../domain/webhooks/webhook-health.ts';
import { keys } from '../keys.ts';
import { unavailable } from '../table/errors.ts';
import type { Table } from '../table/table.ts';
import type { Item } from '../table/write.ts';

interface WebhookFailure {
  at: string;
  isTimeout: boolean;
  isExhausted: boolean;
}

/**
 * Stores the health of endpoints separately from their settings. So a failure and a change by the merchant never
 * conflict.
 */
export interface WebhookHealthStore {
  /** Counts a failure, and returns the endpoint's new health. */
  noteFailure(id: string, failure: WebhookFailure): Promise<WebhookHealth>;
  pause(id: string, until: string): Promise<void>;
  /** Resets the failures of an endpoint. */
  clear(id: string): Promise<void>;
}

export function webhookHealthStore(table: Table): WebhookHealthStore {
  const update = async (id: string, expression: string, values: Record<string, unknown>): Promise<WebhookHealth> => {
    const command = new UpdateCommand({
      TableName: table.name,
      Key: keys.webhookHealth(id),
      UpdateExpression: expression,
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      ReturnValues: 'ALL_NEW',
    });
    const { Attributes } = await table.client.send(command).catch(unavailable);
    return WebhookHealth.parse(Attributes ?? {});
  };
  return {
    noteFailure: (id, { at, isTimeout, isExhausted }) =>
      update(id, isTimeout ? countTimeout : countOther, {
        ':at': at,
        ':zero': 0,
        ':exhausted': isExhausted ? 1 : 0,
        ...(isTimeout && { ':one': 1 }),
      }),
    pause: async (id, until) =>
      void (await update(id, 'SET pausedUntil = :until, timeouts = :zero', { ':until': until, ':zero': 0 })),
    clear: async (id) => void (await update(id, 'REMOVE failingSince, exhausted, timeouts, pausedUntil', {})),
  };
}

const count =
  'SET failingSince = if_not_exists(failingSince, :at), exhausted = if_not_exists(exhausted, :zero) + :exhausted';
const countTimeout = `${count}, timeouts = if_not_exists(timeouts, :zero) + :one`;
const countOther = `${count}, timeouts = :zero`;

const prefix = keys.webhookHealth('').sk;

/** Reads the health of endpoints, by id, from the rows of all webhooks. A healthy endpoint may be missing. */
export const healthIn = (rows: readonly Item[]): Map<string, WebhookHealth> =>
  new Map(
    rows
      .filter(({ sk }) => String(sk).startsWith(prefix))
      .map((item) => [String(item['sk']).slice(prefix.length), WebhookHealth.parse(item)]),
  );
