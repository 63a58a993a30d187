import { hashApiKey } from '../../shared/http/api-key.ts';
import { openEndpoint } from '../../shared/http/open-endpoint.ts';
import { validateKey } from '../../shared/use-cases/entitlements/use-license-key.ts';
import { ValidateInput } from '../../shared/wire/entitlements/license-input.ts';
import { grants, licenseKeys, now, payments, throttles } from '../../shared/wiring/runtime.ts';

const deps = {
  licenseKeys: licenseKeys(),
  grants: grants(),
  payments: payments(),
  throttles: throttles(),
  hashOf: hashApiKey,
  now,
};
const present = (valid: boolean) => ({ valid });

/** POST /licenses/validate */
export const handler = openEndpoint({ body: ValidateInput, present }, ({ body, source }) =>
  validateKey(deps, { ...body, source }),
);
