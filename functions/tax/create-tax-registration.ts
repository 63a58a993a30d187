import { endpoint } from '../../shared/http/endpoint.ts';
import { newId, taxRules } from '../../shared/runtime.ts';
import { withRegistration } from '../../shared/tax/tax-rules.ts';
import { changeTaxRules } from '../../shared/use-cases/change-tax-rules.ts';
import { presentRegistration, RegistrationInput } from '../../shared/wire/tax-rules.ts';

const deps = { taxRules: taxRules() };

/** POST /tax/registrations */
export const handler = endpoint(
  { access: 'admin', body: RegistrationInput, idempotent: true, present: presentRegistration },
  async ({ body, claim }) => {
    const registration = { ...body, id: newId('reg') };
    await changeTaxRules(
      deps,
      (rules) => withRegistration(rules, registration),
      () => claim(registration),
    );
    return registration;
  },
);
