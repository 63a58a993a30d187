import * as z from 'zod';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import { parseEvent } from './event-store.ts';

const Text = z.object({ S: z.string() });

/** The event row in the form of the table's stream, which names the type of every value. */
const StreamedEvent = z.object({
  id: Text,
  type: Text,
  occurredAt: Text,
  /** Null for an event without a payment, such as an expired checkout. */
  paymentId: z.union([Text, z.object({ NULL: z.literal(true) })]),
  sequence: z.object({ N: z.string() }),
  payload: z.object({ B: z.string() }),
  /** Only in test events. */
  endpointId: Text.optional(),
});

/** Reads the event from the new image of a stream record. */
export function parseStreamedEvent(image: unknown): RecordedEvent {
  const { id, type, occurredAt, paymentId, sequence, payload, endpointId } = StreamedEvent.parse(image);
  const names = { id: id.S, type: type.S, occurredAt: occurredAt.S, paymentId: 'S' in paymentId ? paymentId.S : null };
  const body = Buffer.from(payload.B, 'base64');
  return parseEvent({ ...names, sequence: Number(sequence.N), payload: body, endpointId: endpointId?.S, dueSk: '' });
}
