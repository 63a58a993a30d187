import { setTimeout as pause } from 'node:timers/promises';
import type { Context, EventBridgeEvent } from 'aws-lambda';
import { eventIdsIn } from '../../shared/events/bus-detail.ts';
import { logWarn } from '../../shared/log.ts';
import { dispatchEvents } from '../../shared/use-cases/webhooks/dispatch-events.ts';
import { sendWebhook, webhookSpeed } from '../../shared/wiring/delivery.ts';
import { countDisabled, countEvent } from '../../shared/wiring/metrics.ts';
import { reportToOperator } from '../../shared/wiring/operator-report.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import { worker } from '../../shared/wiring/worker.ts';

const deps = {
  events: runtime.events(),
  webhooks: runtime.webhooks(),
  health: runtime.webhookHealth(),
  deliveries: runtime.deliveries(),
  send: sendWebhook(),
  speed: webhookSpeed(),
  pause: (milliseconds: number) => pause(milliseconds),
  report: reportToOperator,
  countDisabled,
  now: runtime.now,
  newId: runtime.newId,
  random: runtime.random,
};

/** Called by the bus: delivers events to the endpoints that subscribe to them. */
export const handler = worker(async ({ detail }: EventBridgeEvent<string, unknown>, context: Context) => {
  const remainingMs = () => context.getRemainingTimeInMillis();
  await dispatchEvents(deps, eventIdsIn(detail), remainingMs, (dispatched) => {
    if (!dispatched.event)
      logWarn('The bus carried an event that is not in the table.', { event_id: dispatched.eventId });
    countEvent(dispatched, deps.now());
  });
});
