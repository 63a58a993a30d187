import { eventSource } from '../../../../shared/events/catalogue.ts';
import { documentedTypes } from '../../../../shared/events/documents-of-events.ts';
import { events } from '../../../../shared/wiring/runtime.ts';
import { dispatchRule, queueConsumer } from '../../../endpoints.ts';
import { wrapEvent } from '../../../local-aws/bus/event-envelope.ts';
import { invokeFunction } from '../../invoke.ts';

const documented: ReadonlySet<string> = new Set(documentedTypes);

/** The most events that one step records. */
const page = { size: 100, skip: 0, after: undefined };

/**
 * Does the work of the stream, the bus and the queue at once. It issues documents with the time of their sale, and
 * completes due events.
 */
export async function finishEvents(since: Date): Promise<void> {
  const { items } = await events().list({ createdFrom: since.toISOString() }, page);
  for (const { id } of items.toReversed()) {
    const { type, paymentId, sequence, payload } = await events().get(id);
    const detail = { event_id: id, payment_id: paymentId, sequence, ...JSON.parse(payload) };
    const entry = wrapEvent({ source: eventSource, detailType: type, detail });
    if (documented.has(type)) await invokeFunction(queueConsumer.function, entry);
    await invokeFunction(dispatchRule.function, entry);
  }
}
