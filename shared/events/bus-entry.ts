import * as z from 'zod';
import { entryVersion, eventSource, eventTypes } from './catalogue.ts';

/** The most events of one entry besides the first one. */
const maxMore = 9;

/** One event in an entry. The body is not in it, because it contains data of the buyer. */
const BusEvent = z.object({
  event_id: z.string().regex(/^evt_/).describe('The id of the event. `GET /webhook-events/{id}` answers its body.'),
  type: z.string().describe('The type of the event, the same as `detail-type`.'),
  payment_id: z.string().nullable().describe('The payment of the event. `null` if it belongs to none.'),
  sequence: z
    .int()
    .min(0)
    .describe('The number of the event among those of its payment, grant or withdrawal, from 1. 0 if it has none.'),
  test: z
    .literal(true)
    .optional()
    .describe('The event was sent as a test of a webhook endpoint, and nothing happened. Absent for all other events.'),
  data: z
    .object({
      refund_id: z.string().optional().describe('The refund of the event, if it has one.'),
      adjustment_id: z.string().optional().describe('The adjustment of a lost dispute, if it undoes the sale.'),
    })
    .describe('Further ids.'),
});
export type BusEvent = z.input<typeof BusEvent>;

const Detail = BusEvent.extend({
  version: z.literal(entryVersion).describe('The version of this form.'),
  more: z
    .array(BusEvent)
    .min(1)
    .max(maxMore)
    .optional()
    .describe('Further events of the same type, each with its own ids. Absent if there are none.'),
});

/** What a target of a rule receives for an entry of the bus, without the fields that EventBridge itself explains. */
export const BusEntry = z.object({
  source: z.literal(eventSource),
  'detail-type': z.enum(eventTypes).describe('The type of all events in the entry.'),
  time: z.iso.datetime().describe('When the first event occurred, in whole seconds.'),
  detail: Detail,
});
