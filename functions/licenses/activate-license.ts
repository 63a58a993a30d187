import { hashApiKey } from '../../shared/http/api-key.ts';
import { openEndpoint } from '../../shared/http/open-endpoint.ts';
import { activateKey } from '../../shared/use-cases/entitlements/use-license-key.ts';
import { presentActivation } from '../../shared/wire/entitlements/license.ts';
import { ActivateInput } from '../../shared/wire/entitlements/license-input.ts';
import { grants, licenseKeys, newId, now, payments, products, site, throttles } from '../../shared/wiring/runtime.ts';

const deps = {
  licenseKeys: licenseKeys(),
  grants: grants(),
  payments: payments(),
  products: products(),
  throttles: throttles(),
  hashOf: hashApiKey,
  now,
  newId,
};

/** POST /licenses/activate */
export const handler = openEndpoint(
  { body: ActivateInput, present: presentActivation(site()) },
  async ({ body, source, idempotencyKey }) => {
    const { activation, key, payment } = await activateKey(deps, { ...body, source, idempotencyKey });
    const names = await deps.products.names([key.productId]);
    return { activation, key, email: payment?.customer.email ?? '', productName: names.get(key.productId) ?? null };
  },
);
