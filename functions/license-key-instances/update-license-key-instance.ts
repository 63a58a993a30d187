import { keys } from '../../shared/store/keys.ts';
import { renameInstance } from '../../shared/use-cases/entitlements/change-license-key.ts';
import { presentInstance } from '../../shared/wire/entitlements/license.ts';
import { InstanceChangeInput } from '../../shared/wire/entitlements/license-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { licenseKeys, site } from '../../shared/wiring/runtime.ts';

const deps = { licenseKeys: licenseKeys() };

/** PATCH /license_key_instances/{id} */
export const handler = endpoint(
  {
    body: InstanceChangeInput,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.activation(param('id'))],
    present: presentInstance(site()),
  },
  ({ param, body, claim }) => renameInstance(deps, param('id'), body.name, claim),
);
