import { dashboard, type FormSubmission, unlessRefused, type Visit } from '../../shared/dashboard/dashboard.ts';
import type { DashboardForm } from '../../shared/dashboard/form.ts';
import { faultsOf } from '../../shared/dashboard/form-faults.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { overrideBody, registrationBody, registrationChangeBody } from '../../shared/dashboard/tax/read-tax-form.ts';
import { taxPage } from '../../shared/dashboard/tax/tax-page.ts';
import { dashboardCommands } from '../../shared/domain/access/dashboard-commands.ts';
import type { DomainError } from '../../shared/domain/errors.ts';
import type { Claim } from '../../shared/domain/idempotency.ts';
import { newId, now, taxRules, taxSettings } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { countries } from '../../shared/tax/places/countries.ts';
import type { TaxRuleKind, TaxRules } from '../../shared/tax/rules/tax-rules.ts';
import {
  addingOverride,
  addingRegistration,
  changeTaxRules,
  changingRegistration,
  removingRule,
  type TaxChange,
} from '../../shared/use-cases/change-tax-rules.ts';
import { parseInput } from '../../shared/wire/parse.ts';
import { OverrideInput, RegistrationChange, RegistrationInput } from '../../shared/wire/tax-rules.ts';

const deps = { taxRules: taxRules() };

/** GET, POST /dashboard/tax */
export const handler = dashboard(guard, {
  needs: () => [keys.taxRules()],
  show: (visit) => show(visit),
  forms: {
    commands: dashboardCommands.taxes,
    run: {
      add_registration: doing(addRegistration, 'created'),
      change_registration: doing(changeRegistration, 'saved'),
      remove_registration: doing(removing('registrations'), 'removed'),
      add_override: doing(addOverride, 'created'),
      remove_override: doing(removing('overrides'), 'removed'),
    },
  },
});

/** What a form changes is parsed before anything is loaded. */
function doing(changeOf: (form: DashboardForm) => TaxChange, done: string) {
  return (submission: FormSubmission) =>
    unlessRefused(
      async () => {
        const change = changeOf(submission.form);
        const apply = (claim: Claim<TaxRules>) => changeTaxRules(deps, change, claim);
        return submission.once<TaxRules>(apply, () => `/dashboard/tax?done=${done}`);
      },
      (refusal) => show(submission, refusal, submission),
    );
}

async function show(visit: Visit, refusal?: DomainError, submission?: FormSubmission) {
  const today = now().toISOString().slice(0, 10);
  const faults = refusal ? faultsOf(refusal, names) : [];
  return taxPage(frameOf(visit), { settings: await taxSettings(), countries, today, typed: submission?.form, faults });
}

/** Where the fields of an override's taxes stand on the page. */
const names = {
  'components[0].name': 'name_1',
  'components[0].rate': 'rate_1',
  'components[1].name': 'name_2',
  'components[1].rate': 'rate_2',
  components: 'rate_1',
};

function addRegistration(form: DashboardForm): TaxChange {
  return addingRegistration({ ...parseInput(RegistrationInput, registrationBody(form)), id: newId('reg') });
}

function changeRegistration(form: DashboardForm): TaxChange {
  return changingRegistration(form.text('id'), parseInput(RegistrationChange, registrationChangeBody(form)));
}

function addOverride(form: DashboardForm): TaxChange {
  return addingOverride({ ...parseInput(OverrideInput, overrideBody(form)), id: newId('ovr') });
}

function removing(kind: TaxRuleKind) {
  return (form: DashboardForm): TaxChange => removingRule(kind, form.text('id'));
}
