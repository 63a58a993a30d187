import { keys } from '../../shared/store/keys.ts';
import { presentAll, presentRegistration } from '../../shared/wire/tax/tax-rules.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { taxRules } from '../../shared/wiring/runtime.ts';

const deps = { taxRules: taxRules() };

/** GET /tax/registrations */
export const handler = endpoint(
  { access: 'read', needs: () => [keys.taxRules()], present: presentAll(presentRegistration) },
  async () => (await deps.taxRules.get()).registrations,
);
