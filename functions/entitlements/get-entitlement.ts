import { keys } from '../../shared/store/keys.ts';
import { presentEntitlement } from '../../shared/wire/entitlements/entitlement.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, site } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements() };

/** GET /entitlements/{id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.entitlement(param('id'))], present: presentEntitlement(site()) },
  ({ param }) => deps.entitlements.get(param('id')),
);
