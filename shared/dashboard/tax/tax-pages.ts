import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { dayMs } from '../../domain/duration.ts';
import type { ExchangeRateStore } from '../../store/exchange-rate-store.ts';
import { keys } from '../../store/keys.ts';
import type { ThresholdStore } from '../../store/threshold-store.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import type { TaxRuleKind, TaxRules } from '../../tax/rules/tax-rules.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import {
  addingOverride,
  addingRegistration,
  type ChangeTaxRulesDeps,
  changeTaxRules,
  changingRegistration,
  leavingSmallSeller,
  removingRule,
  statingSmallSeller,
  type TaxChange,
} from '../../use-cases/change-tax-rules.ts';
import { parseInput } from '../../wire/parse.ts';
import { OverrideInput, RegistrationChange, RegistrationInput, SmallSellerInput } from '../../wire/tax/tax-rules.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { faultsAt, type Json, jsonOf } from '../entries.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import {
  overrideForm,
  registrationChangeForm,
  registrationForm,
  smallSellerForm,
  type TaxForm,
  taxFaults,
  taxTextsIn,
} from './tax-entries.ts';
import { taxPage } from './tax-page.ts';
import type { RefusedTaxForm } from './tax-view.ts';

interface TaxPagesDeps extends ChangeTaxRulesDeps {
  taxSettings: () => Promise<TaxSettings>;
  thresholds: Pick<ThresholdStore, 'getWatch'>;
  /** The store with the newest exchange rates before a day. */
  rates: Pick<ExchangeRateStore, 'newestBefore'>;
  merchantCountry: string;
  newId: (prefix: 'reg' | 'ovr') => string;
}

/** The pages with the places where the merchant collects tax, and with the merchant's own rates. */
export const taxPages = (deps: TaxPagesDeps): DashboardRoutes<typeof dashboardCommands.taxes> => ({
  needs: () => [keys.taxRules(), keys.thresholdWatch()],
  show: (visit) => show(deps, visit),
  forms: {
    commands: dashboardCommands.taxes,
    run: {
      add_registration: saving(deps, () => registrationForm, {
        change: (json) => addingRegistration({ ...parseInput(RegistrationInput, json), id: deps.newId('reg') }),
        done: 'created',
      }),
      change_registration: saving(deps, registrationChangeForm, {
        change: (json, id) => changingRegistration(id, parseInput(RegistrationChange, json)),
        done: 'saved',
      }),
      remove_registration: removing(deps, 'registrations'),
      add_override: saving(deps, () => overrideForm, {
        change: (json) => addingOverride({ ...parseInput(OverrideInput, json), id: deps.newId('ovr') }),
        done: 'created',
      }),
      remove_override: removing(deps, 'overrides'),
      state_small_seller: async (submission) => {
        await keepRates(deps);
        return saving(deps, () => smallSellerForm, {
          change: (json) => statingSmallSeller(parseInput(SmallSellerInput, json), deps.merchantCountry),
          done: 'saved',
        })(submission);
      },
      leave_small_seller: (submission) => leaving(deps, submission),
    },
  },
});

interface Saving {
  /** Reads the change from the form. It runs before anything is loaded. */
  change: (json: Json, id: string) => TaxChange;
  done: string;
}

const saving =
  (deps: TaxPagesDeps, formOf: (id: string) => TaxForm, { change, done }: Saving) =>
  (submission: FormSubmission) => {
    const id = submission.form.text('id');
    const form = formOf(id);
    const filled = { typed: taxTextsIn(form, submission.form), locale: submission.locale };
    const refuse = (faults: readonly FormFault[]) =>
      show(deps, submission, { action: submission.form.text('action'), id, filled, faults });
    return unlessRefused(
      async () => {
        const { json, faults } = jsonOf(form.entries, filled);
        return faults.length > 0
          ? refuse(faultsAt(faults, form.fieldId))
          : apply(deps, submission, change(json, id), done);
      },
      (refusal) => refuse(taxFaults(form, refusal, filled)),
    );
  };

/** Stores the newest exchange rates for sales in other currencies, so that no checkout has to read them. */
async function keepRates({ rates, taxRules, now }: TaxPagesDeps): Promise<void> {
  const tomorrow = new Date(now().getTime() + dayMs).toISOString().slice(0, 10);
  const newest = await rates.newestBefore(tomorrow);
  if (newest) await taxRules.keepHomeRates(newest);
}

function leaving(deps: TaxPagesDeps, submission: FormSubmission) {
  const { locale } = submission;
  const action = 'leave_small_seller';
  return unlessRefused(
    () => apply(deps, submission, leavingSmallSeller(deps.merchantCountry), 'saved'),
    (refusal) => {
      const faults = faultsOf(refusal, textsOf(dashboardTexts('tax'), submission)).map((fault) => ({
        ...fault,
        field: '',
      }));
      return show(deps, submission, { action, id: '', filled: { typed: {}, locale }, faults });
    },
  );
}

const removing = (deps: TaxPagesDeps, kind: TaxRuleKind) => (submission: FormSubmission) => {
  const { form, locale } = submission;
  const [action, id] = [form.text('action'), form.text('id')];
  return unlessRefused(
    () => apply(deps, submission, removingRule(kind, id), 'removed'),
    (refusal) => {
      const faults = faultsOf(refusal, textsOf(dashboardTexts('tax'), submission));
      return show(deps, submission, { action, id, filled: { typed: {}, locale }, faults });
    },
  );
};

const apply = (deps: TaxPagesDeps, { once }: FormSubmission, change: TaxChange, done: string) =>
  once<TaxRules>(
    (claim) => changeTaxRules(deps, change, claim),
    () => `/dashboard/tax?done=${done}`,
  );

async function show(deps: TaxPagesDeps, visit: Visit, refused?: RefusedTaxForm) {
  const today = deps.now().toISOString().slice(0, 10);
  const [settings, thresholds] = await Promise.all([deps.taxSettings(), deps.thresholds.getWatch()]);
  return taxPage(frameOf(visit), { settings, thresholds, today, refused });
}
