import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type PolicyKind, type PolicyTexts, policyKinds } from '../../domain/catalogue/policies.ts';
import { html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { type FormFault, faultSummary, formKeys, messageAt, textArea } from '../parts.ts';

const section = '/dashboard/brands';

/** How long a text may be. */
export const maxPolicyLetters = 20_000;

const words: Readonly<Record<PolicyKind, { label: string; hint: string }>> = {
  terms: { label: 'Terms', hint: 'What buyers agree to.' },
  privacy: { label: 'Privacy', hint: 'Which data you keep, why, and for how long.' },
  refunds: { label: 'Refunds', hint: 'When and how buyers get their money back, and how they withdraw.' },
};

interface PoliciesView {
  texts: PolicyTexts;
  faults: readonly FormFault[];
}

/** The texts that every checkout links to. */
export function policiesPage(frame: Frame, { texts, faults }: PoliciesView) {
  const field = (kind: PolicyKind) =>
    textArea({
      id: kind,
      label: words[kind].label,
      value: texts[kind] ?? '',
      maxLength: maxPolicyLetters,
      hint: words[kind].hint,
      fault: messageAt(faults, kind),
    });
  const main = html`${faultSummary(faults)}
<form method="post" action="${section}/policies" novalidate>${formKeys(frame)}
<fieldset class="card policies"${!may(frame, dashboardCommands.brands.save_policies) && html` disabled`}><legend class="visually-hidden">Texts</legend>
<p class="lead">Every page of the checkout links to the texts that you enter here. Write them in the language of your buyers. An empty text has no link.</p>
${policyKinds.map(field)}
</fieldset>
${may(frame, dashboardCommands.brands.save_policies) && html`<p class="submit"><button class="main" name="action" value="save_policies">Save</button></p>`}</form>`;
  const above = { href: section, label: 'Brands' };
  const statusCode = faults.length > 0 ? 422 : 200;
  return dashboardAnswer(frame, { title: 'Terms, privacy and refunds', section, above, main }, { statusCode });
}
