import { keys } from '../../shared/store/keys.ts';
import { restoreGrant } from '../../shared/use-cases/entitlements/change-grant.ts';
import { presentGrant } from '../../shared/wire/entitlements/grant.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, grants, licenseKeys, newId, now, payments, site } from '../../shared/wiring/runtime.ts';

const stores = { entitlements: entitlements(), grants: grants(), licenseKeys: licenseKeys(), payments: payments() };
const deps = { ...stores, now, newId };

/** POST /entitlements/{id}/grants/{grant_id}/restore */
export const handler = endpoint(
  {
    access: 'write',
    idempotent: true,
    present: presentGrant(site()),
    needs: ({ param }) => [keys.grant(param('grant_id')), keys.entitlement(param('id'))],
  },
  ({ param, claim }) => restoreGrant(deps, { id: param('grant_id'), entitlementId: param('id') }, claim),
);
