import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { hourMs } from '../../../shared/domain/duration.ts';
import { probeCounter } from '../../../shared/domain/processor.ts';
import { type ThrottleStore, throttleStore } from '../../../shared/store/access/throttle-store.ts';
import { findTable } from '../find-table.ts';
import type { TypedWords } from '../kit/command.ts';

/** Shows whether the notification about a test request has arrived. */
export interface Arrivals {
  counters(): Promise<Pick<ThrottleStore, 'seen'>>;
  /** How many milliseconds to wait for it. */
  patienceMs: number;
}

/** Reads the counters of test notifications from the stack's table. */
export const arrivalsInTable = (typed: TypedWords): Arrivals => ({
  counters: async () => {
    const client = new DynamoDBClient();
    return throttleStore({ client: DynamoDBDocumentClient.from(client), name: await findTable(client, typed) });
  },
  patienceMs: 60_000,
});

const lookEveryMs = 500;

/** Whether the notification about a test request arrives in time. Only a verified notification is counted. */
export async function hasArrived({ counters, patienceMs }: Arrivals, probeId: string): Promise<boolean> {
  const table = await counters();
  for (const until = Date.now() + patienceMs; ; await pause(lookEveryMs)) {
    const now = Date.now();
    const hours = [new Date(now), new Date(now - hourMs)];
    const seen = await Promise.all(hours.map((at) => table.seen(probeCounter(probeId), at)));
    if (seen.some((count) => count > 0)) return true;
    if (now > until) return false;
  }
}
