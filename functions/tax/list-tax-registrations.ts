import { endpoint } from '../../shared/http/endpoint.ts';
import { taxRules } from '../../shared/runtime.ts';
import { presentAll, presentRegistration } from '../../shared/wire/tax-rules.ts';

const deps = { taxRules: taxRules() };

/** GET /tax/registrations */
export const handler = endpoint(
  { access: 'read', present: presentAll(presentRegistration) },
  async () => (await deps.taxRules.get()).registrations,
);
