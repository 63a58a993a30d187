import { type DisabledReason, disableEndpoint } from '../../domain/webhooks/webhook.ts';
import { webhookDisabled } from '../../events/notices.ts';
import type { DeliveryStore } from '../../store/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { retryStale } from '../retry.ts';
import { takeInTurn } from '../take-in-turn.ts';

export interface DisableWebhookDeps {
  webhooks: Pick<WebhookStore, 'get' | 'disable'>;
  deliveries: Pick<DeliveryStore, 'list' | 'cancel'>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
  report: Report;
  /** Counts a disabled endpoint, which alerts the operator. */
  countDisabled: () => void;
}

/** Reports a problem to the operator. It contains only ids, and the error if something failed. */
export type Report = (message: string, fields: Record<string, unknown>, error?: unknown) => void;

/**
 * The most deliveries that one call reads and cancels, within the time of an attempt. The sweep cancels the others when
 * they are due.
 */
const mostRead = 10_000;
const mostCancelled = 2_000;

/** Disables an endpoint because of its failures or answers, with a notice, and cancels its open deliveries. */
export async function disableWebhook(deps: DisableWebhookDeps, id: string, reason: DisabledReason): Promise<void> {
  await retryStale(async () => {
    const now = deps.now().toISOString();
    const disabled = disableEndpoint(await deps.webhooks.get(id), reason, now);
    if (!disabled) return;
    await deps.webhooks.disable(disabled, webhookDisabled(disabled, deps.newId('evt')));
    deps.report('A webhook endpoint was disabled.', { endpoint_id: id, reason });
    deps.countDisabled();
  });
  await cancelPending(deps, id);
}

async function cancelPending({ deliveries }: DisableWebhookDeps, endpointId: string): Promise<void> {
  const { items } = await deliveries.list({ endpointId }, { size: mostRead, skip: 0, after: undefined });
  const pending = items.filter(({ status }) => status === 'pending').slice(0, mostCancelled);
  await takeInTurn(pending, { atOnce: 8, hasTime: () => true }, (row) => deliveries.cancel(row));
}
