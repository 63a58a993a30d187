import { endpoint } from '../../shared/http/endpoint.ts';
import { deliveries, webhooks } from '../../shared/runtime.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { DeliveryQuery, presentDelivery } from '../../shared/wire/recorded-event.ts';

const deps = { webhooks: webhooks(), deliveries: deliveries() };

/** GET /webhooks/{id}/deliveries */
export const handler = endpoint(
  { access: 'read', query: DeliveryQuery, present: presentPage(presentDelivery) },
  async ({ param, query, caller }) => {
    const { id: endpointId } = await deps.webhooks.get(param('id'));
    const { status, created_at_gte: createdFrom } = query;
    const filter = {
      endpointId,
      createdFrom,
      ...(status && { matches: (row: { status: string }) => row.status === status }),
    };
    const page = await deps.deliveries.list(filter, toPageRequest(query, caller));
    const found = await Promise.all(page.items.map((row) => deps.deliveries.find(row)));
    return { ...page, items: found.filter((delivery) => delivery !== undefined) };
  },
);
