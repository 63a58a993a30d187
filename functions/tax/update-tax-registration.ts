import { keys } from '../../shared/store/keys.ts';
import { findRule, type TaxRules } from '../../shared/tax/rules/tax-rules.ts';
import { changeTaxRules, changingRegistration } from '../../shared/use-cases/change-tax-rules.ts';
import { presentRegistration as present, RegistrationChange } from '../../shared/wire/tax/tax-rules.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, taxRules } from '../../shared/wiring/runtime.ts';

const deps = { taxRules: taxRules(), now };

/** PATCH /tax/registrations/{id} */
export const handler = endpoint(
  { access: 'admin', body: RegistrationChange, idempotent: true, needs: () => [keys.taxRules()], present },
  async ({ param, body, claim }) => {
    const changed = (rules: TaxRules) => findRule(rules, 'registrations', param('id'));
    const change = changingRegistration(param('id'), body);
    return changed(await changeTaxRules(deps, change, (rules, command) => claim(changed(rules), command)));
  },
);
