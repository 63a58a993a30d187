import { hashApiKey } from '../../shared/http/api-key.ts';
import { openEndpoint } from '../../shared/http/open-endpoint.ts';
import { deactivateKey } from '../../shared/use-cases/entitlements/use-license-key.ts';
import { DeactivateInput } from '../../shared/wire/entitlements/license-input.ts';
import { grants, licenseKeys, newId, now, payments, throttles } from '../../shared/wiring/runtime.ts';

const deps = {
  licenseKeys: licenseKeys(),
  grants: grants(),
  payments: payments(),
  throttles: throttles(),
  hashOf: hashApiKey,
  now,
  newId,
};

/** POST /licenses/deactivate */
export const handler = openEndpoint({ body: DeactivateInput, present: () => ({}) }, ({ body, source }) =>
  deactivateKey(deps, { ...body, source }),
);
