import { html } from '../../pages/html.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { faultSummary } from '../parts.ts';
import { overridesCard } from './tax-overrides.ts';
import { registrationsCard } from './tax-registrations.ts';
import type { TaxView } from './tax-view.ts';

const section = '/dashboard/tax';

export function taxPage(frame: Frame, view: TaxView) {
  const main = html`${faultSummary(view.faults)}
<p class="note">${policyWords(view.settings)}</p>
${registrationsCard(frame, view)}
${overridesCard(frame, view)}`;
  return dashboardAnswer(frame, { title: 'Tax', section, main }, { statusCode: view.faults.length > 0 ? 422 : 200 });
}

const policyWords = ({ collectPolicy, registrations }: TaxSettings): string => {
  if (collectPolicy === 'everywhere')
    return 'This stack collects tax everywhere, also where you are not registered. Its configuration says so.';
  return registrations.length === 0
    ? 'No tax is collected anywhere, because there is no registration. Add the places where you are registered.'
    : 'Tax is collected where you are registered, and nowhere else.';
};
