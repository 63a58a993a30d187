import { presentCustomerEntitlement } from '../../shared/wire/entitlements/grant.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, grants } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements(), grants: grants() };

/** The only page that is read, because the API has no paging here. */
const newest = { size: 100, skip: 0, after: undefined };

/** GET /customers/{customer_id}/entitlements */
export const handler = endpoint(
  {
    access: 'read',
    present: (views: Parameters<typeof presentCustomerEntitlement>[0][]) => ({
      items: views.map(presentCustomerEntitlement),
    }),
  },
  async ({ param }) => {
    const { items } = await deps.grants.list({ of: { customerId: param('customer_id') } }, newest);
    const found = await deps.entitlements.findMany([...new Set(items.map(({ entitlementId }) => entitlementId))]);
    return items.map((grant) => ({ grant, entitlement: found.get(grant.entitlementId) }));
  },
);
