import { keys } from '../../shared/store/keys.ts';
import { presentInstance } from '../../shared/wire/entitlements/license.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { licenseKeys, site } from '../../shared/wiring/runtime.ts';

const deps = { licenseKeys: licenseKeys() };

/** GET /license_key_instances/{id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.activation(param('id'))], present: presentInstance(site()) },
  ({ param }) => deps.licenseKeys.getActivation(param('id')),
);
