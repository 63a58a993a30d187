import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { formatDate, nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { eInvoicingDutyOf } from '../../tax/e-invoicing.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { lacksSellerTaxId } from '../../tax/tax-ids/seller-tax-id.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { faultSummary } from '../parts.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { overridesCard } from './tax-overrides.ts';
import { registrationsCard } from './tax-registrations.ts';
import { smallSellerCard } from './tax-small-seller.ts';
import { thresholdsCard } from './tax-thresholds.ts';
import type { TaxView } from './tax-view.ts';

const section = '/dashboard/tax';

export function taxPage(frame: Frame, view: TaxView) {
  const t = textsOf(dashboardTexts('tax'), frame);
  const faults = view.refused?.faults ?? [];
  const main = html`${faultSummary(faults, t)}
<p class="note">${t(policyOf(view.settings))}</p>
${documentNotes(view, t)}
${registrationsCard(frame, view)}
${smallSellerCard(frame, view)}
${thresholdsCard(view.thresholds, view.settings.merchantCountry, t)}
${overridesCard(frame, view)}`;
  const changes = dashboardCommands.taxes.add_registration;
  const content = { title: t('nav./dashboard/tax'), section, main, changes } as const;
  return dashboardAnswer(frame, content, { statusCode: view.refused ? 422 : 200 });
}

/** Warnings about issued documents: the seller's tax id is missing, or the PDF is not a legal invoice. */
function documentNotes({ settings, today }: TaxView, t: Texts<TextKey<'tax'>>): Html {
  const duty = eInvoicingDutyOf(settings.merchantCountry);
  return html`${
    lacksSellerTaxId(settings) &&
    html`<p class="note wait">${withMarkup(t('sellerId'), { setting: html`<code>taxId</code>` })}</p>
`
  }${
    duty &&
    html`<p class="note wait">${dutyText(duty, { country: settings.merchantCountry, today }, t)}</p>
`
  }`;
}

type Duty = NonNullable<ReturnType<typeof eInvoicingDutyOf>>;

function dutyText(
  { form, phases }: Duty,
  { country, today }: { country: string; today: string },
  t: Texts<TextKey<'tax'>>,
) {
  const said = phases.map(({ from, sellers }) =>
    t('duty.phase', { day: formatDate(from, t.locale), sellers: t(`sellers.${sellers}`) }),
  );
  return t(phases.some(({ from }) => from <= today) ? 'duty.now' : 'duty.later', {
    country: nameCountries([country], t.locale)[0]?.name ?? country,
    form: t(`form.${form}`),
    phases: said.join('; '),
  });
}

function policyOf({ collectPolicy, registrations }: TaxSettings) {
  if (collectPolicy === 'everywhere') return 'policy.everywhere';
  return registrations.length === 0 ? 'policy.none' : 'policy.registered';
}
