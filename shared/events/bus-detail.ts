import * as z from 'zod';

/** What the bus carries of an event; the row in the table has the rest. */
const Detail = z.object({ event_id: z.string() });

/** The id of the event that the bus carries. */
export const eventIdIn = (detail: unknown): string => Detail.parse(detail).event_id;
