import { eventSource } from '../../../../shared/events/catalogue.ts';
import { events } from '../../../../shared/runtime.ts';
import { dispatchRule, documentRule } from '../../../endpoints.ts';
import { wrapEvent } from '../../aws/bus/event-envelope.ts';
import { matchesPattern } from '../../aws/bus/event-pattern.ts';
import { invokeFunction } from '../../invoke.ts';

/** More than one step records. */
const page = { size: 100, skip: 0, after: undefined };

/** Does at once what the stream and the bus would lead to: documents are issued at the time of their sale, and no event stays due. */
export async function finishEvents(since: Date): Promise<void> {
  const { items } = await events().list({ createdFrom: since.toISOString() }, page);
  for (const { id } of items.toReversed()) {
    const { type, paymentId, sequence, payload } = await events().get(id);
    const detail = { event_id: id, payment_id: paymentId, sequence, ...JSON.parse(payload) };
    const event = wrapEvent({ source: eventSource, detailType: type, detail });
    for (const { function: name, pattern } of [documentRule, dispatchRule])
      if (matchesPattern(pattern, event)) await invokeFunction(name, event);
  }
}
