import { keys } from '../../shared/store/keys.ts';
import { presentEvent } from '../../shared/wire/webhooks/recorded-event.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { deliveries, events } from '../../shared/wiring/runtime.ts';

const deps = { events: events(), deliveries: deliveries() };

/** GET /webhook-events/{id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.event(param('id'))], present: presentEvent },
  async ({ param }) => {
    const event = await deps.events.get(param('id'));
    return { event, deliveries: await deps.deliveries.ofEvent(event.id) };
  },
);
