import { keys } from '../../shared/store/keys.ts';
import { fulfillGrant } from '../../shared/use-cases/entitlements/change-grant.ts';
import { presentGrant } from '../../shared/wire/entitlements/grant.ts';
import { GrantKeyInput } from '../../shared/wire/entitlements/grant-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, grants, licenseKeys, newId, now, payments, site } from '../../shared/wiring/runtime.ts';

const stores = { entitlements: entitlements(), grants: grants(), licenseKeys: licenseKeys(), payments: payments() };
const deps = { ...stores, now, newId };

/** POST /grants/{id}/license-key */
export const handler = endpoint(
  {
    body: GrantKeyInput,
    access: 'write',
    idempotent: true,
    present: presentGrant(site()),
    needs: ({ param }) => [keys.grant(param('id'))],
  },
  ({ param, body, claim }) => fulfillGrant(deps, param('id'), body, claim),
);
