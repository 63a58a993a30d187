import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describeError, logWarn } from '../log.ts';
import { parseLeniently } from '../wire/parse.ts';

/** How a stack without `strictFields` handles fields that version 0.2.0 ignored. */
export interface Leniency {
  parse: typeof parseLeniently;
  /** Stores which fields were removed from a request. It runs only after the caller's key is checked. */
  note(event: APIGatewayProxyEventV2, fields: readonly string[], now: Date): Promise<void>;
}

/** Stores the names of fields with the last day on which they were sent. */
interface FieldNotes {
  note(names: readonly string[], day: string): Promise<void>;
}

/** Removes the fields, logs their names, and stores the names for the dashboard. */
export const leavingOut = (notes: () => FieldNotes): Leniency => ({
  parse: parseLeniently,
  note: async (event, fields, now) => {
    if (fields.length > 0) await noteLeftOut(event, fields, { notes: notes(), now });
  },
});

/** The names that this process has already stored on its latest day. */
const noted = { day: '', names: new Set<string>() };

/**
 * Logs the names of fields that were removed from a request, never their values, and stores each name once a day. If
 * storing fails, the request continues.
 */
async function noteLeftOut(
  { routeKey: route, requestContext }: APIGatewayProxyEventV2,
  fields: readonly string[],
  { notes, now }: { notes: FieldNotes; now: Date },
): Promise<void> {
  const request = { request_id: requestContext.requestId, route };
  logWarn('unsupported fields left out', { ...request, fields });
  const day = now.toISOString().slice(0, 10);
  if (noted.day !== day) Object.assign(noted, { day, names: new Set() });
  const fresh = fields.filter((name) => !noted.names.has(name));
  if (fresh.length === 0) return;
  try {
    await notes.note(fresh, day);
    for (const name of fresh) noted.names.add(name);
  } catch (error) {
    logWarn('unsupported fields not noted', { ...request, ...describeError(error) });
  }
}
