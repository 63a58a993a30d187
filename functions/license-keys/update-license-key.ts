import { keys } from '../../shared/store/keys.ts';
import { changeKey } from '../../shared/use-cases/entitlements/change-license-key.ts';
import { presentLicenseKey } from '../../shared/wire/entitlements/license.ts';
import { LicenseKeyChangeInput } from '../../shared/wire/entitlements/license-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { grants, licenseKeys, now, payments, site } from '../../shared/wiring/runtime.ts';

const deps = { licenseKeys: licenseKeys(), grants: grants(), payments: payments(), now };

/** PATCH /license_keys/{id} */
export const handler = endpoint(
  {
    body: LicenseKeyChangeInput,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.licenseKey(param('id'))],
    present: presentLicenseKey(site()),
  },
  ({ param, body, claim }) => changeKey(deps, param('id'), body, claim),
);
