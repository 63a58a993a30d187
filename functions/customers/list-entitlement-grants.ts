import type { GrantView } from '../../shared/domain/entitlements/grant-view.ts';
import type { ItemPage } from '../../shared/domain/list-page.ts';
import { listGrants } from '../../shared/use-cases/entitlements/list-grants.ts';
import { presentGrant } from '../../shared/wire/entitlements/grant.ts';
import { CustomerGrantQuery, grantTerms, matchesGrant } from '../../shared/wire/entitlements/grant-query.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import {
  entitlements,
  findStackSecret,
  grants,
  licenseKeys,
  now,
  payments,
  site,
} from '../../shared/wiring/runtime.ts';

const stores = { entitlements: entitlements(), grants: grants(), licenseKeys: licenseKeys(), payments: payments() };
const deps = { ...stores, stackSecret: findStackSecret, now };
const present = presentGrant(site());

/** GET /customers/{customer_id}/entitlement-grants */
export const handler = endpoint(
  {
    access: 'read',
    query: CustomerGrantQuery,
    present: (page: ItemPage<GrantView>, caller) =>
      presentPage((view: GrantView) => present(view, caller), grantTerms)(page, caller),
  },
  ({ param, query, walk, caller }) => {
    const filter = { of: { customerId: param('customer_id') }, matches: matchesGrant(query) };
    return listGrants(deps, filter, toPageRequest(query, walk), caller);
  },
);
