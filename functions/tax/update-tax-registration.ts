import { endpoint } from '../../shared/http/endpoint.ts';
import { taxRules } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { findRule } from '../../shared/tax/rules/tax-rules.ts';
import { changeTaxRules, changingRegistration } from '../../shared/use-cases/change-tax-rules.ts';
import { presentRegistration, RegistrationChange } from '../../shared/wire/tax-rules.ts';

const deps = { taxRules: taxRules() };

/** PATCH /tax/registrations/{id} */
export const handler = endpoint(
  {
    access: 'admin',
    body: RegistrationChange,
    idempotent: true,
    needs: () => [keys.taxRules()],
    present: presentRegistration,
  },
  async ({ param, body, claim }) => {
    const id = param('id');
    const rules = await changeTaxRules(deps, changingRegistration(id, body), (after, command) =>
      claim(findRule(after, 'registrations', id), command),
    );
    return findRule(rules, 'registrations', id);
  },
);
