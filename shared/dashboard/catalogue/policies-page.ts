import * as z from 'zod';
import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type PolicyKind, type PolicyTexts, policyKinds } from '../../domain/catalogue/policies.ts';
import type { Page } from '../../http/page.ts';
import { html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type UpdatePoliciesDeps, updatePolicies } from '../../use-cases/catalogue/update-policies.ts';
import { parseInput } from '../../wire/parse.ts';
import { prose } from '../../wire/text/texts.ts';
import { unlessRefused } from '../dashboard.ts';
import { faultsOf } from '../form-faults.ts';
import { dashboardAnswer, type Frame, frameOf, may } from '../frame.ts';
import { type FormFault, faultSummary, fieldCard, formKeys, messageAt, textArea } from '../parts.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';

const section = '/dashboard/brands';

/** How long a text may be. */
const maxPolicyLetters = 20_000;

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
    (refusal) =>
      policiesPage(frameOf(submission), {
        texts,
        faults: faultsOf(refusal, textsOf(dashboardTexts('faults'), submission)),
      }),
  );
}

interface PoliciesView {
  texts: PolicyTexts;
  faults: readonly FormFault[];
}

/** The texts that every checkout links to. */
function policiesPage(frame: Frame, { texts, faults }: PoliciesView) {
  const t = textsOf(dashboardTexts('catalogue'), frame);
  const field = (kind: PolicyKind) =>
    textArea({
      id: kind,
      label: t(`policies.${kind}`),
      value: texts[kind] ?? '',
      maxLength: maxPolicyLetters,
      hint: t(`policies.${kind}.hint`),
      fault: messageAt(faults, kind),
    });
  const isLocked = !may(frame, dashboardCommands.brands.save_policies);
  const main = html`${faultSummary(faults, t)}
<form method="post" action="${section}/policies" novalidate>${formKeys(frame)}
${fieldCard(
  { title: t('policies.texts'), isLocked, isSpoken: true, kind: 'policies' },
  html`<p class="lead">${t('policies.hint')}</p>
${policyKinds.map(field)}`,
)}${!isLocked && html`<p class="submit"><button class="main" name="action" value="save_policies">${t('save')}</button></p>`}</form>`;
  const above = { href: section, label: t('nav./dashboard/brands') };
  const statusCode = faults.length > 0 ? 422 : 200;
  return dashboardAnswer(frame, { title: t('policies'), section, above, main }, { statusCode });
}
