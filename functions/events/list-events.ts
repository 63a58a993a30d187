import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { EventQuery, eventTerms, matchesEvent, presentEventItem } from '../../shared/wire/webhooks/recorded-event.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { events } from '../../shared/wiring/runtime.ts';

const deps = { events: events() };

/** GET /webhook-events */
export const handler = endpoint(
  { access: 'read', query: EventQuery, present: presentPage(presentEventItem, eventTerms) },
  ({ query, walk }) => {
    const { created_at_gte: createdFrom, created_at_lte: createdTo } = query;
    return deps.events.list({ createdFrom, createdTo, matches: matchesEvent(query) }, toPageRequest(query, walk));
  },
);
