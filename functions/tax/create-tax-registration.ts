import { keys } from '../../shared/store/keys.ts';
import { addingRegistration, changeTaxRules } from '../../shared/use-cases/change-tax-rules.ts';
import { presentRegistration as present, RegistrationInput } from '../../shared/wire/tax/tax-rules.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { newId, now, taxRules } from '../../shared/wiring/runtime.ts';

const deps = { taxRules: taxRules(), now };

/** POST /tax/registrations */
export const handler = endpoint(
  { access: 'admin', body: RegistrationInput, idempotent: true, needs: () => [keys.taxRules()], present },
  async ({ body, claim }) => {
    const registration = { ...body, id: newId('reg') };
    await changeTaxRules(deps, addingRegistration(registration), (_, command) => claim(registration, command));
    return registration;
  },
);
