import { keys } from '../../shared/store/keys.ts';
import { changeTaxRules, removingRule } from '../../shared/use-cases/change-tax-rules.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, taxRules } from '../../shared/wiring/runtime.ts';

const deps = { taxRules: taxRules(), now };

/** DELETE /tax/registrations/{id} */
export const handler = endpoint(
  { access: 'admin', idempotent: true, needs: () => [keys.taxRules()], present: () => ({}) },
  ({ param, claim }) => changeTaxRules(deps, removingRule('registrations', param('id')), claim),
);
