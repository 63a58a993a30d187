import * as z from 'zod';
import { adopted, hashesOf, type PolicyChange, type PolicyKind } from '../../domain/catalogue/policies.ts';
import type { DomainError } from '../../domain/errors.ts';
import type { Page } from '../../http/page.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type PublishPoliciesDeps, publishPolicies } from '../../use-cases/catalogue/publish-policies.ts';
import { parseInput } from '../../wire/parse.ts';
import { unlessRefused } from '../dashboard.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { chosenPolicy, policyText, typedPolicies } from './policy-form.ts';
import { policiesPage } from './policy-view.ts';

export interface PolicyPagesDeps extends PublishPoliciesDeps {
  brands: PublishPoliciesDeps['brands'] & Pick<BrandStore, 'policyText'>;
}

export const showPolicies = (deps: PolicyPagesDeps, visit: Visit): Promise<Page> =>
  pageOf(deps, visit, { chosen: chosenPolicy(visit.request.query, deps.policyLanguage) });

/** Shows the typed text as buyers will see it, and saves nothing. */
export function previewPolicies(deps: PolicyPagesDeps, submission: FormSubmission): Promise<Page> {
  const [typed] = typedPolicies(submission.form, deps.policyLanguage);
  const chosen = chosenPolicy((name) => submission.form.text(name), deps.policyLanguage);
  const preview = () => pageOf(deps, submission, { chosen, typed: typed?.text, isPreview: true });
  return unlessRefused(
    async () => {
      parseInput(z.object({ text: policyText() }), { text: typed?.text ?? '' });
      return preview();
    },
    (refusal) => pageOf(deps, submission, { chosen, typed: typed?.text, refusal }),
  );
}

/** Publishes the typed text, or shows it again with its errors. */
export function savePolicies(deps: PolicyPagesDeps, submission: FormSubmission): Promise<Page> {
  const typed = typedPolicies(submission.form, deps.policyLanguage);
  const [first] = typed;
  const chosen = first ?? chosenPolicy((name) => submission.form.text(name), deps.policyLanguage);
  return unlessRefused(
    async () => {
      const texts = Object.fromEntries(typed.map(({ field, text }) => [field, text]));
      const read = parseInput(z.record(z.string(), policyText()), texts);
      const changes = typed.map(({ kind, language, field }) => ({ kind, language, text: read[field] ?? '' }));
      return submission.once<readonly PolicyChange[]>(
        (claim) => publishPolicies(deps, changes, claim),
        () => `/dashboard/brands/policies?kind=${chosen.kind}&language=${chosen.language}&done=saved`,
      );
    },
    (refusal) => pageOf(deps, submission, { chosen, typed: first?.text, refusal }),
  );
}

interface Asked {
  chosen: { kind: PolicyKind; language: string };
  /** The text in the form, if it is not the saved one. */
  typed?: string | undefined;
  isPreview?: boolean;
  refusal?: DomainError;
}

async function pageOf(deps: PolicyPagesDeps, visit: Visit, { chosen, typed, isPreview, refusal }: Asked) {
  const [earlier, stored] = await Promise.all([deps.brands.policies(), deps.brands.policyLog()]);
  const { log, versions } = adopted(stored, earlier, deps.policyLanguage, deps.now().toISOString());
  const hash = hashesOf(log)[chosen.kind]?.[chosen.language];
  const unsaved = versions.find((version) => version.hash === hash);
  const saved = unsaved ?? (hash === undefined ? undefined : await deps.brands.policyText(hash));
  return policiesPage(frameOf(visit), {
    chosen,
    log,
    isStored: (published) => stored.publications.some((one) => one.hash === published),
    text: typed ?? saved?.text ?? '',
    isPreview: isPreview === true,
    faults: refusal ? faultsAtText(refusal, visit) : [],
  });
}

/** The faults of a refused text. The form has only one text, so every fault is shown there. */
const faultsAtText = (refusal: DomainError, visit: Visit): FormFault[] =>
  faultsOf(refusal, textsOf(dashboardTexts('faults'), visit)).map(({ field, message }) => ({
    field: field && 'text',
    message,
  }));
