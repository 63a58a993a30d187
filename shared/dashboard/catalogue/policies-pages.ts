import * as z from 'zod';
import type { PolicyTexts } from '../../domain/catalogue/policies.ts';
import { policyKinds } from '../../domain/catalogue/policies.ts';
import type { Page } from '../../http/page.ts';
import { type UpdatePoliciesDeps, updatePolicies } from '../../use-cases/catalogue/update-policies.ts';
import { parseInput } from '../../wire/parse.ts';
import { prose } from '../../wire/text/texts.ts';
import { unlessRefused } from '../dashboard.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { maxPolicyLetters, policiesPage } from './policies-page.ts';

const policyText = prose(1, maxPolicyLetters).optional();
const PoliciesInput = z.strictObject({ terms: policyText, privacy: policyText, refunds: policyText });

export const showPolicies = async (deps: UpdatePoliciesDeps, visit: Visit): Promise<Page> =>
  policiesPage(frameOf(visit), { texts: (await deps.brands.policies()).texts, faults: [] });

/** Saves the texts, or shows them again with their errors. */
export function savePolicies(deps: UpdatePoliciesDeps, submission: FormSubmission): Promise<Page> {
  const { form } = submission;
  const typed = policyKinds.flatMap((kind) => (form.text(kind) === '' ? [] : [[kind, form.text(kind)] as const]));
  const texts: PolicyTexts = Object.fromEntries(typed);
  return unlessRefused(
    async () => {
      parseInput(PoliciesInput, texts);
      return submission.once<PolicyTexts>(
        (claim) => updatePolicies(deps, texts, claim),
        () => '/dashboard/brands/policies?done=saved',
      );
    },
    (refusal) => policiesPage(frameOf(submission), { texts, faults: faultsOf(refusal, submission) }),
  );
}
