import { keys } from '../../shared/store/keys.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import * as wire from '../../shared/wire/webhooks/recorded-event.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { deliveries, webhooks } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks(), deliveries: deliveries() };
const present = presentPage(wire.presentDelivery, wire.deliveryTerms);

/** GET /webhooks/{id}/deliveries */
export const handler = endpoint(
  { access: 'read', query: wire.DeliveryQuery, needs: ({ param }) => [keys.webhook(param('id'))], present },
  async ({ param, query, walk }) => {
    const { id: endpointId } = await deps.webhooks.get(param('id'));
    return deps.deliveries.listWhole({ endpointId, ...wire.deliveryFilter(query) }, toPageRequest(query, walk));
  },
);
