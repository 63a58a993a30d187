import { setTimeout as pause } from 'node:timers/promises';
import type { Context, EventBridgeEvent } from 'aws-lambda';
import * as z from 'zod';
import { describeError, logError, logWarn } from '../../shared/log.ts';
import { deliveries, events, now, targetPolicy, webhooks, world } from '../../shared/runtime.ts';
import { dispatchEvent } from '../../shared/use-cases/dispatch-event.ts';
import { webhookSender } from '../../shared/webhooks/send-webhook.ts';

const deps = {
  events: events(),
  webhooks: webhooks(),
  deliveries: deliveries(),
  send: webhookSender(targetPolicy()),
  now,
  random: () => world.random(),
  pause: (milliseconds: number) => pause(milliseconds),
  speed: 1,
  report: (message: string, fields: Record<string, unknown>, error: unknown) =>
    logError(message, { ...fields, ...describeError(error) }),
};

/** What the bus carries; the row in the table has the rest. */
const Detail = z.object({ event_id: z.string() });

/** The bus: delivers an event to the endpoints that want it. */
export async function handler({ detail }: EventBridgeEvent<string, unknown>, context: Context): Promise<void> {
  const { event_id: eventId } = Detail.parse(detail);
  const isKnown = await dispatchEvent(deps, eventId, () => context.getRemainingTimeInMillis());
  if (!isKnown) logWarn('The bus carried an event that is not in the table.', { eventId });
}
