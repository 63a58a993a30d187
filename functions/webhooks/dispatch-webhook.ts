import type { Context, EventBridgeEvent } from 'aws-lambda';
import { delivering } from '../../shared/delivery-runtime.ts';
import { eventIdIn } from '../../shared/events/bus-detail.ts';
import { logWarn } from '../../shared/log.ts';
import { countEvent } from '../../shared/metrics.ts';
import { dispatchEvent } from '../../shared/use-cases/webhooks/dispatch-event.ts';

const deps = delivering();

/** The bus: delivers an event to the endpoints that want it. */
export async function handler({ detail }: EventBridgeEvent<string, unknown>, context: Context): Promise<void> {
  const eventId = eventIdIn(detail);
  const dispatched = await dispatchEvent(deps, eventId, () => context.getRemainingTimeInMillis());
  if (!dispatched.event) logWarn('The bus carried an event that is not in the table.', { event_id: eventId });
  countEvent(dispatched, deps.now());
}
