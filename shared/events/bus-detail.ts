import * as z from 'zod';

/** The part of an event that an entry of the bus contains. The rest is in the event's row. */
const Carried = z.object({ event_id: z.string() });

/**
 * An entry of the bus contains one event, and may contain more of the same type. An entry from version 0.2.0 contains
 * one event with its body. The bus's archive keeps such entries for 30 days.
 */
const Detail = Carried.extend({ more: z.array(Carried).default([]) });

/** The ids of the events in an entry of the bus. */
export function eventIdsIn(detail: unknown): string[] {
  const { event_id: first, more } = Detail.parse(detail);
  return [first, ...more.map(({ event_id }) => event_id)];
}
