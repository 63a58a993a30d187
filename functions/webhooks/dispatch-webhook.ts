import type { Context, EventBridgeEvent } from 'aws-lambda';
import { eventIdsIn } from '../../shared/events/bus-detail.ts';
import { logWarn } from '../../shared/log.ts';
import { dispatchEvents } from '../../shared/use-cases/webhooks/dispatch-events.ts';
import { delivering } from '../../shared/wiring/delivery.ts';
import { countEvent } from '../../shared/wiring/metrics.ts';

const deps = delivering();

/** Called by the bus: delivers events to the endpoints that subscribe to them. */
export async function handler({ detail }: EventBridgeEvent<string, unknown>, context: Context): Promise<void> {
  const remainingMs = () => context.getRemainingTimeInMillis();
  await dispatchEvents(deps, eventIdsIn(detail), remainingMs, (dispatched) => {
    if (!dispatched.event)
      logWarn('The bus carried an event that is not in the table.', { event_id: dispatched.eventId });
    countEvent(dispatched, deps.now());
  });
}
