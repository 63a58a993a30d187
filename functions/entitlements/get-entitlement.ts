import { keys } from '../../shared/store/keys.ts';
import { readEntitlement } from '../../shared/use-cases/entitlements/entitlement-files.ts';
import { presentEntitlement } from '../../shared/wire/entitlements/entitlement.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { buyerFiles } from '../../shared/wiring/files.ts';
import { entitlements, now, site } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements(), files: buyerFiles(), now };

/** GET /entitlements/{id}: also checks which uploads have arrived. */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.entitlement(param('id'))], present: presentEntitlement(site()) },
  ({ param }) => readEntitlement(deps, param('id')),
);
