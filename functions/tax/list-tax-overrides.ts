import { keys } from '../../shared/store/keys.ts';
import { presentAll, presentOverride } from '../../shared/wire/tax/tax-rules.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { taxRules } from '../../shared/wiring/runtime.ts';

const deps = { taxRules: taxRules() };

/** GET /tax/overrides */
export const handler = endpoint(
  { access: 'read', needs: () => [keys.taxRules()], present: presentAll(presentOverride) },
  async () => (await deps.taxRules.get()).overrides,
);
