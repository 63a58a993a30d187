import { endpoint } from '../../shared/http/endpoint.ts';
import { taxRules } from '../../shared/runtime.ts';
import { without } from '../../shared/tax/tax-rules.ts';
import { changeTaxRules } from '../../shared/use-cases/change-tax-rules.ts';

const deps = { taxRules: taxRules() };

/** DELETE /tax/overrides/{id} */
export const handler = endpoint({ access: 'admin', idempotent: true, present: () => ({}) }, ({ param, claim }) =>
  changeTaxRules(deps, (rules) => without(rules, 'overrides', param('id')), claim),
);
