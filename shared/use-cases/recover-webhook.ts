import type { DeliveryRow } from '../domain/delivery.ts';
import type { Claim, IdempotencyRecord } from '../domain/idempotency.ts';
import type { Reopened } from '../store/delivery-row.ts';
import type { DeliveryStore } from '../store/delivery-store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { beginAnew, namedEndpoint } from './dispatch-again.ts';
import { retryStale } from './retry.ts';

export interface RecoverWebhookDeps {
  webhooks: Pick<WebhookStore, 'get'>;
  deliveries: Pick<DeliveryStore, 'list' | 'find' | 'claim' | 'reopen'>;
  now: () => Date;
}

export interface Recovery {
  endpointId: string;
  recovered: number;
  /** Whether there is more to recover: ask again. */
  hasMore: boolean;
}

/** What one call begins anew at most, within the time that a request has. */
const mostRecovered = 500;
const perTransaction = 50;

const hasFailed = ({ status }: DeliveryRow): boolean => status === 'exhausted' || status === 'cancelled';

/** Begins every delivery anew that has failed for good since an instant, newest first. */
export async function recoverWebhook(
  deps: RecoverWebhookDeps,
  id: string,
  since: string,
  claim: Claim<Recovery>,
): Promise<Recovery> {
  await namedEndpoint(deps, id);
  const filter = { endpointId: id, createdFrom: since, matches: hasFailed };
  const { items, hasMore } = await deps.deliveries.list(filter, { size: mostRecovered, skip: 0, after: undefined });
  const recovery = { endpointId: id, recovered: items.length, hasMore };
  for (let start = 0; start < items.length; start += perTransaction)
    await reopenAll(deps, items.slice(start, start + perTransaction), []);
  await reopenAll(deps, [], claim(recovery));
  return recovery;
}

function reopenAll(
  deps: RecoverWebhookDeps,
  rows: readonly DeliveryRow[],
  records: readonly IdempotencyRecord[],
): Promise<void> {
  return retryStale(async () => {
    const found = await Promise.all(rows.map((row) => deps.deliveries.find(row)));
    const ended = found.flatMap((delivery) => (delivery && hasFailed(delivery) ? [delivery] : []));
    const planned = await Promise.all(
      ended.map(async (before): Promise<Reopened> => ({ before, after: await beginAnew(deps, before) })),
    );
    await deps.deliveries.reopen(planned, records);
  });
}
