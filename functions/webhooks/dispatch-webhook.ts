import type { Context, EventBridgeEvent } from 'aws-lambda';
import * as z from 'zod';
import { delivering } from '../../shared/delivery-runtime.ts';
import { logWarn } from '../../shared/log.ts';
import { measure } from '../../shared/metrics.ts';
import { type Dispatched, dispatchEvent } from '../../shared/use-cases/webhooks/dispatch-event.ts';

const deps = delivering();

/** What the bus carries of an event; the row in the table has the rest. */
const Detail = z.object({ event_id: z.string() });

const counted: Record<string, string> = {
  'payment.succeeded': 'PaymentsSucceeded',
  'payment.failed': 'PaymentsFailed',
};

/** The bus: delivers an event to the endpoints that want it. */
export async function handler({ detail }: EventBridgeEvent<string, unknown>, context: Context): Promise<void> {
  const { event_id: eventId } = Detail.parse(detail);
  const dispatched = await dispatchEvent(deps, eventId, () => context.getRemainingTimeInMillis());
  if (!dispatched.event) logWarn('The bus carried an event that is not in the table.', { eventId });
  countPayment(dispatched);
}

/** Each payment is counted once, when its event is dispatched; tests are not counted. */
function countPayment({ event, isFirst }: Dispatched): void {
  const metric = event && counted[event.type];
  if (metric && isFirst && event.endpointId === undefined) measure(metric, 1, 'Count', deps.now());
}
