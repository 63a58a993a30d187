import { keys } from '../../shared/store/keys.ts';
import { importKey } from '../../shared/use-cases/entitlements/change-license-key.ts';
import { presentLicenseKey } from '../../shared/wire/entitlements/license.ts';
import { LicenseKeyInput } from '../../shared/wire/entitlements/license-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { customers, licenseKeys, newId, now, paymentLists, products, site } from '../../shared/wiring/runtime.ts';

const deps = {
  licenseKeys: licenseKeys(),
  products: products(),
  customers: { customers: customers(), payments: paymentLists() },
  now,
  newId,
};

/** POST /license_keys */
export const handler = endpoint(
  {
    body: LicenseKeyInput,
    access: 'write',
    idempotent: true,
    needs: ({ body }) => [keys.product(body.productId), keys.customer(body.customerId)],
    present: presentLicenseKey(site()),
  },
  ({ body, claim }) => importKey(deps, body, claim),
);
