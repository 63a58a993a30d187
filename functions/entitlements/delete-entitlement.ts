import { keys } from '../../shared/store/keys.ts';
import { deleteEntitlement } from '../../shared/use-cases/entitlements/change-entitlement.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, now } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements(), now };

/** DELETE /entitlements/{id} */
export const handler = endpoint(
  { access: 'write', idempotent: true, needs: ({ param }) => [keys.entitlement(param('id'))], present: () => ({}) },
  ({ param, claim }) => deleteEntitlement(deps, param('id'), claim),
);
