import * as z from 'zod';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { eventFilters } from '../../domain/webhooks/event-types.ts';
import { says } from '../says.ts';

/** An event type, or a family such as `payment.*`. */
export const EventFilter = z
  .string()
  .refine((value) => eventFilters.has(value), says(sentences.event_type))
  .meta({ enum: [...eventFilters] });
