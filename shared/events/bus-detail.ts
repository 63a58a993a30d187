import * as z from 'zod';

/** What the bus carries of an event; the row in the table has the rest. */
const Carried = z.object({ event_id: z.string() });

/** An entry of the bus has several events of a type. Those of version 0.2, which its archive keeps for 30 days, have one. */
const Detail = z.union([z.object({ events: z.array(Carried).min(1) }), Carried]);

/** The ids of the events that an entry of the bus carries. */
export function eventIdsIn(detail: unknown): string[] {
  const carried = Detail.parse(detail);
  return 'events' in carried ? carried.events.map(({ event_id }) => event_id) : [carried.event_id];
}
