import type { GrantView } from '../../shared/domain/entitlements/grant-view.ts';
import type { ItemPage } from '../../shared/domain/list-page.ts';
import { keys } from '../../shared/store/keys.ts';
import { listGrants } from '../../shared/use-cases/entitlements/list-grants.ts';
import { presentGrant } from '../../shared/wire/entitlements/grant.ts';
import { GrantQuery, grantTerms, matchesGrant } from '../../shared/wire/entitlements/grant-query.ts';
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

/** GET /entitlements/{id}/grants */
export const handler = endpoint(
  {
    access: 'read',
    query: GrantQuery,
    present: (page: ItemPage<GrantView>, caller) =>
      presentPage((view: GrantView) => present(view, caller), grantTerms)(page, caller),
    needs: ({ param }) => [keys.entitlement(param('id'))],
  },
  async ({ param, query, walk, caller }) => {
    const { id: entitlementId } = await known(param('id'));
    const filter = { of: { entitlementId }, matches: matchesGrant(query) };
    return listGrants(deps, filter, toPageRequest(query, walk), caller);
  },
);

/** The id of an entitlement that exists. It may be deleted, because a deleted one still has grants. */
async function known(id: string) {
  const entitlement = await deps.entitlements.find(id);
  return entitlement ?? deps.entitlements.get(id);
}
