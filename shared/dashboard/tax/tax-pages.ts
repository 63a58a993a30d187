import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { keys } from '../../store/keys.ts';
import type { ThresholdStore } from '../../store/threshold-store.ts';
import { buyerCountries } from '../../tax/places/countries.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import type { TaxRuleKind, TaxRules } from '../../tax/rules/tax-rules.ts';
import {
  addingOverride,
  addingRegistration,
  type ChangeTaxRulesDeps,
  changeTaxRules,
  changingRegistration,
  removingRule,
  type TaxChange,
} from '../../use-cases/change-tax-rules.ts';
import { parseInput } from '../../wire/parse.ts';
import { OverrideInput, RegistrationChange, RegistrationInput } from '../../wire/tax/tax-rules.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import type { DashboardForm } from '../form.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { overrideBody, registrationBody, registrationChangeBody } from './read-tax-form.ts';
import { taxPage } from './tax-page.ts';

interface TaxPagesDeps extends ChangeTaxRulesDeps {
  taxSettings: () => Promise<TaxSettings>;
  thresholds: Pick<ThresholdStore, 'getWatch'>;
  newId: (prefix: 'reg' | 'ovr') => string;
}

/** Handles the places where the merchant collects tax, and the merchant's own rates. */
export const taxPages = (deps: TaxPagesDeps): DashboardRoutes<typeof dashboardCommands.taxes> => ({
  needs: () => [keys.taxRules(), keys.thresholdWatch()],
  show: (visit) => show(deps, visit),
  forms: {
    commands: dashboardCommands.taxes,
    run: {
      add_registration: doing(deps, addRegistration(deps), 'created'),
      change_registration: doing(deps, changeRegistration, 'saved'),
      remove_registration: doing(deps, removing('registrations'), 'removed'),
      add_override: doing(deps, addOverride(deps), 'created'),
      remove_override: doing(deps, removing('overrides'), 'removed'),
    },
  },
});

/** Reads the changes from a form before anything is loaded. */
function doing(deps: TaxPagesDeps, changeOf: (form: DashboardForm) => TaxChange, done: string) {
  return (submission: FormSubmission) =>
    unlessRefused(
      async () => {
        const change = changeOf(submission.form);
        const apply = (claim: Claim<TaxRules>) => changeTaxRules(deps, change, claim);
        return submission.once<TaxRules>(apply, () => `/dashboard/tax?done=${done}`);
      },
      (refusal) => show(deps, submission, refusal, submission),
    );
}

async function show(deps: TaxPagesDeps, visit: Visit, refusal?: DomainError, submission?: FormSubmission) {
  const today = deps.now().toISOString().slice(0, 10);
  const faults = refusal ? faultsOf(refusal, visit, names) : [];
  const [settings, thresholds] = await Promise.all([deps.taxSettings(), deps.thresholds.getWatch()]);
  return taxPage(frameOf(visit), {
    settings,
    thresholds,
    countries: buyerCountries,
    today,
    typed: submission?.form,
    faults,
  });
}

/** The fields of an override's taxes on the page. */
const names = {
  'components[0].name': 'name_1',
  'components[0].rate': 'rate_1',
  'components[1].name': 'name_2',
  'components[1].rate': 'rate_2',
  components: 'rate_1',
};

const addRegistration =
  ({ newId }: TaxPagesDeps) =>
  (form: DashboardForm): TaxChange =>
    addingRegistration({ ...parseInput(RegistrationInput, registrationBody(form)), id: newId('reg') });

const changeRegistration = (form: DashboardForm): TaxChange =>
  changingRegistration(form.text('id'), parseInput(RegistrationChange, registrationChangeBody(form)));

const addOverride =
  ({ newId }: TaxPagesDeps) =>
  (form: DashboardForm): TaxChange =>
    addingOverride({ ...parseInput(OverrideInput, overrideBody(form)), id: newId('ovr') });

const removing =
  (kind: TaxRuleKind) =>
  (form: DashboardForm): TaxChange =>
    removingRule(kind, form.text('id'));
