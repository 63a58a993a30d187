import * as z from 'zod';

/** The part of an event that the bus carries; the rest is in the event's row. */
const Carried = z.object({ event_id: z.string() });

/**
 * An entry of the bus has one event, and may have more of its type. An entry of version 0.2.0 has one event with its
 * body. The bus's archive keeps such entries for 30 days.
 */
const Detail = Carried.extend({ more: z.array(Carried).default([]) });

/** The ids of the events that an entry of the bus carries. */
export function eventIdsIn(detail: unknown): string[] {
  const { event_id: first, more } = Detail.parse(detail);
  return [first, ...more.map(({ event_id }) => event_id)];
}
