import { endpoint } from '../../shared/http/endpoint.ts';
import { taxRules } from '../../shared/runtime.ts';
import { findRule, withRegistration } from '../../shared/tax/tax-rules.ts';
import { changeTaxRules } from '../../shared/use-cases/change-tax-rules.ts';
import { presentRegistration, RegistrationChange } from '../../shared/wire/tax-rules.ts';

const deps = { taxRules: taxRules() };

/** PATCH /tax/registrations/{id} */
export const handler = endpoint(
  { access: 'admin', body: RegistrationChange, idempotent: true, present: presentRegistration },
  async ({ param, body, claim }) => {
    const id = param('id');
    const rules = await changeTaxRules(
      deps,
      (before) => withRegistration(before, { ...findRule(before, 'registrations', id), ...body }),
      (after) => claim(findRule(after, 'registrations', id)),
    );
    return findRule(rules, 'registrations', id);
  },
);
