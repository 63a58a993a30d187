import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type PolicyKind, type PolicyTexts, policyKinds } from '../../domain/catalogue/policies.ts';
import { html } from '../../pages/html.ts';
import { catalogueTexts } from '../../texts/texts.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { type FormFault, faultSummary, fieldCard, formKeys, messageAt, textArea } from '../parts.ts';
import { textsOf } from '../texts.ts';

const section = '/dashboard/brands';

/** How long a text may be. */
export const maxPolicyLetters = 20_000;

interface PoliciesView {
  texts: PolicyTexts;
  faults: readonly FormFault[];
}

/** The texts that every checkout links to. */
export function policiesPage(frame: Frame, { texts, faults }: PoliciesView) {
  const t = textsOf(catalogueTexts, frame);
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
