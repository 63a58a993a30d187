import { keys } from '../../shared/store/keys.ts';
import { updateEntitlement } from '../../shared/use-cases/entitlements/change-entitlement.ts';
import { presentEntitlement } from '../../shared/wire/entitlements/entitlement.ts';
import { EntitlementChangeInput } from '../../shared/wire/entitlements/entitlement-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { buyerFiles } from '../../shared/wiring/files.ts';
import { entitlements, now, site } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements(), files: buyerFiles(), now };

/** PATCH /entitlements/{id} */
export const handler = endpoint(
  {
    body: EntitlementChangeInput,
    present: presentEntitlement(site()),
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.entitlement(param('id'))],
  },
  ({ param, body, claim }) => updateEntitlement(deps, param('id'), body, claim),
);
