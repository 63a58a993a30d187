import * as z from 'zod';
import { BusEntry } from '../shared/events/bus-entry.ts';

/** Removes the pattern of a time, because its format says the same. */
function forReaders({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

/** The JSON schema of an entry on the bus, for the targets of a merchant's own rules. */
export const busEntrySchema = (): object => ({
  title: 'An entry on the event bus of a Tillstack stack',
  ...z.toJSONSchema(BusEntry, { io: 'input', override: forReaders }),
});
