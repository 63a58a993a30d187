import { keys } from '../../shared/store/keys.ts';
import { revokeGrant } from '../../shared/use-cases/entitlements/change-grant.ts';
import { presentGrant } from '../../shared/wire/entitlements/grant.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, grants, licenseKeys, newId, now, site } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements(), grants: grants(), licenseKeys: licenseKeys(), now, newId };

/** DELETE /entitlements/{id}/grants/{grant_id} */
export const handler = endpoint(
  {
    access: 'write',
    idempotent: true,
    present: presentGrant(site()),
    needs: ({ param }) => [keys.grant(param('grant_id')), keys.entitlement(param('id'))],
  },
  ({ param, claim }) => revokeGrant(deps, { id: param('grant_id'), entitlementId: param('id') }, claim),
);
