import { keys } from '../../shared/store/keys.ts';
import { withItsSale } from '../../shared/use-cases/entitlements/use-license-key.ts';
import { presentLicenseKey } from '../../shared/wire/entitlements/license.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { grants, licenseKeys, now, payments, site } from '../../shared/wiring/runtime.ts';

const deps = { licenseKeys: licenseKeys(), grants: grants(), payments: payments(), now };

/** GET /license_keys/{id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.licenseKey(param('id'))], present: presentLicenseKey(site()) },
  async ({ param }) => withItsSale(deps, await deps.licenseKeys.get(param('id'))),
);
