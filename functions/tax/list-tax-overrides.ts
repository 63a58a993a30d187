import { endpoint } from '../../shared/http/endpoint.ts';
import { taxRules } from '../../shared/runtime.ts';
import { presentAll, presentOverride } from '../../shared/wire/tax-rules.ts';

const deps = { taxRules: taxRules() };

/** GET /tax/overrides */
export const handler = endpoint(
  { access: 'read', present: presentAll(presentOverride) },
  async () => (await deps.taxRules.get()).overrides,
);
