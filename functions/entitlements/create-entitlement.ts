import { createEntitlement } from '../../shared/use-cases/entitlements/change-entitlement.ts';
import { presentEntitlement } from '../../shared/wire/entitlements/entitlement.ts';
import { EntitlementInput } from '../../shared/wire/entitlements/entitlement-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, newId, now, site } from '../../shared/wiring/runtime.ts';

const deps = { entitlements: entitlements(), now, newId };

/** POST /entitlements */
export const handler = endpoint(
  { body: EntitlementInput, present: presentEntitlement(site()), access: 'write', idempotent: true },
  ({ body, claim }) => createEntitlement(deps, body, claim),
);
