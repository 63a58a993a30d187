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
}

/** Tells whoever operates the stack, by ids only; with an error when something failed. */
export type Report = (message: string, fields: Record<string, unknown>, error?: unknown) => void;

/** What one call reads and cancels at most, within the time of an attempt; the sweeper cancels the rest as it falls due. */
const mostRead = 10_000;
const mostCancelled = 2_000;

/** Stops an endpoint for a reason of ours, with a notice of it, and cancels what is on its way there. */
export async function disableWebhook(deps: DisableWebhookDeps, id: string, reason: DisabledReason): Promise<void> {
  await retryStale(async () => {
    const now = deps.now().toISOString();
    const disabled = disableEndpoint(await deps.webhooks.get(id), reason, now);
    if (!disabled) return;
    await deps.webhooks.disable(disabled, webhookDisabled(disabled, deps.newId('evt')));
    deps.report('A webhook endpoint was disabled.', { endpointId: id, reason });
  });
  await cancelPending(deps, id);
}

async function cancelPending({ deliveries }: DisableWebhookDeps, endpointId: string): Promise<void> {
  const { items } = await deliveries.list({ endpointId }, { size: mostRead, skip: 0, after: undefined });
  const pending = items.filter(({ status }) => status === 'pending').slice(0, mostCancelled);
  await takeInTurn(pending, { atOnce: 8, hasTime: () => true }, (row) => deliveries.cancel(row));
}
