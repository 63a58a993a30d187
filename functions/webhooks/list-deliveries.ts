import { endpoint } from '../../shared/http/endpoint.ts';
import { deliveries, webhooks } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { DeliveryQuery, deliveryTerms, presentDelivery } from '../../shared/wire/webhooks/recorded-event.ts';

const deps = { webhooks: webhooks(), deliveries: deliveries() };

/** GET /webhooks/{id}/deliveries */
export const handler = endpoint(
  {
    access: 'read',
    query: DeliveryQuery,
    needs: ({ param }) => [keys.webhook(param('id'))],
    present: presentPage(presentDelivery, deliveryTerms),
  },
  async ({ param, query, caller }) => {
    const { id: endpointId } = await deps.webhooks.get(param('id'));
    const { status, created_at_gte: createdFrom } = query;
    const filter = {
      endpointId,
      createdFrom,
      ...(status && { matches: (row: { status: string }) => row.status === status }),
    };
    return deps.deliveries.listWhole(filter, toPageRequest(query, caller));
  },
);
