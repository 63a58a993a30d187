import * as z from 'zod';
import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { offersWithdrawal, type WithdrawalSettings } from '../../domain/withdrawal/withdrawal-settings.ts';
import type { Page } from '../../http/page.ts';
import { html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import {
  type UpdateWithdrawalSettingsDeps,
  updateWithdrawalSettings,
} from '../../use-cases/withdrawal/update-withdrawal-settings.ts';
import { parseInput } from '../../wire/parse.ts';
import { unlessRefused } from '../dashboard.ts';
import { faultsOf } from '../form-faults.ts';
import { dashboardAnswer, frameOf, may } from '../frame.ts';
import { checkBox, choices, type FormFault, faultSummary, fieldCard, formKeys, messageAt } from '../parts.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';

const section = '/dashboard/brands';
const page = `${section}/rights`;

const offers = ['on', 'off'] as const;
const RightsInput = z.object({ offer: z.enum(offers), refundsByItself: z.boolean() });

/**
 * The page with the settings about the right of withdrawal. A merchant who sells to nobody with this right switches it
 * off here.
 */
export const showRights = (deps: UpdateWithdrawalSettingsDeps, visit: Visit): Promise<Page> =>
  rightsPage(deps, visit, []);

export function saveRights(deps: UpdateWithdrawalSettingsDeps, submission: FormSubmission): Promise<Page> {
  const { form } = submission;
  return unlessRefused(
    async () => {
      const typed = { offer: form.text('offer'), refundsByItself: form.has('refundsByItself') };
      const { offer, refundsByItself } = parseInput(RightsInput, typed);
      return submission.once<WithdrawalSettings>(
        (claim) => updateWithdrawalSettings(deps, { isOff: offer === 'off', refundsByItself }, claim),
        () => `${page}?done=saved`,
      );
    },
    (refusal) => rightsPage(deps, submission, faultsOf(refusal, textsOf(dashboardTexts('faults'), submission))),
  );
}

async function rightsPage(deps: UpdateWithdrawalSettingsDeps, visit: Visit, faults: readonly FormFault[]) {
  const frame = frameOf(visit);
  const t = textsOf(dashboardTexts('legal'), frame);
  const brands = await deps.brands.get();
  const isLocked = !may(frame, dashboardCommands.brands.save_rights);
  const main = html`${faultSummary(faults, t)}
<form method="post" action="${page}" novalidate>${formKeys(frame)}
${fieldCard(
  { title: t('rights.settings'), isLocked, isSpoken: true },
  html`<p class="lead">${t('rights.lead')}</p>
${choices({
  id: 'offer',
  label: t('rights.offer'),
  value: offersWithdrawal(brands) ? 'on' : 'off',
  options: offers.map((value) => ({ value, label: t(`rights.offer.${value}`), hint: t(`rights.offer.${value}.hint`) })),
  fault: messageAt(faults, 'offer'),
})}
${checkBox({
  id: 'refundsByItself',
  label: t('rights.refundsByItself'),
  hint: t('rights.refundsByItself.hint'),
  isChecked: brands.withdrawal?.refundsByItself === true,
})}`,
)}${!isLocked && html`<p class="submit"><button class="main" name="action" value="save_rights">${t('save')}</button></p>`}</form>`;
  const above = { href: section, label: t('nav./dashboard/brands') };
  const statusCode = faults.length > 0 ? 422 : 200;
  const changes = dashboardCommands.brands.save_rights;
  return dashboardAnswer(frame, { title: t('rights'), section, above, main, changes }, { statusCode });
}
