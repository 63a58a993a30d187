import { presentEntitlement } from '../../shared/wire/entitlements/entitlement.ts';
import {
  EntitlementQuery,
  entitlementTerms,
  matchesEntitlement,
} from '../../shared/wire/entitlements/entitlement-query.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, site } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements() };

/** GET /entitlements */
export const handler = endpoint(
  { access: 'read', query: EntitlementQuery, present: presentPage(presentEntitlement(site()), entitlementTerms) },
  ({ query, walk }) => deps.entitlements.list(matchesEntitlement(query), toPageRequest(query, walk)),
);
