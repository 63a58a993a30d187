import * as z from 'zod';
import { type EventContents, wrapEvent } from './event-envelope.ts';

const Entry = z.object({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().default('default'),
  /** The time in seconds since the epoch. */
  Time: z.number().optional(),
  Resources: z.array(z.string()).optional(),
});

const PutEvents = z.object({ Entries: z.array(Entry).min(1).max(10) });

export type PutEventsEntry = z.infer<typeof Entry>;

/** The one to ten entries of a request; undefined for an invalid request. */
export function parsePutEvents(body: string): PutEventsEntry[] | undefined {
  try {
    return PutEvents.parse(JSON.parse(body)).Entries;
  } catch {
    return undefined;
  }
}

/** Thrown if an entry is refused. The message is that of EventBridge. */
export class EntryRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function required(entry: PutEventsEntry, name: 'Source' | 'DetailType' | 'Detail'): string {
  const value = entry[name];
  if (value) return value;
  throw new EntryRefusal('InvalidArgument', `Parameter ${name} is not valid. Reason: ${name} is a required argument.`);
}

/** Parses the detail. It must be JSON whose root is an object. */
function parseDetail(text: string): object {
  try {
    const detail = JSON.parse(text);
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return detail;
  } catch {}
  throw new EntryRefusal('MalformedDetail', 'Detail is malformed.');
}

function refuseUnknownBus(entry: PutEventsEntry, busName: string): void {
  // The real bus accepts such an entry and drops it without an error. Here, the mistake must be visible.
  if (entry.EventBusName.replace(/^arn:.*:event-bus\//, '') !== busName) {
    throw new EntryRefusal('ResourceNotFoundException', `Event bus ${entry.EventBusName} does not exist.`);
  }
}

/**
 * Makes an event from an entry.
 * @throws EntryRefusal if the entry is invalid
 */
export function busEventOf(entry: PutEventsEntry, busName: string): ReturnType<typeof wrapEvent> {
  refuseUnknownBus(entry, busName);
  const contents: EventContents = {
    source: required(entry, 'Source'),
    detailType: required(entry, 'DetailType'),
    detail: parseDetail(required(entry, 'Detail')),
  };
  if (contents.source.startsWith('aws.')) {
    throw new EntryRefusal('NotAuthorizedForSource', 'Not authorized for the source.');
  }
  if (entry.Time !== undefined) contents.time = new Date(entry.Time * 1_000);
  if (entry.Resources) contents.resources = entry.Resources;
  return wrapEvent(contents);
}
