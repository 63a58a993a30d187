import { formatDate, nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { eInvoicingDutyOf } from '../../tax/e-invoicing.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { lacksSellerTaxId } from '../../tax/tax-ids/seller-tax-id.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { faultSummary } from '../parts.ts';
import { overridesCard } from './tax-overrides.ts';
import { registrationsCard } from './tax-registrations.ts';
import { thresholdsCard } from './tax-thresholds.ts';
import type { TaxView } from './tax-view.ts';

const section = '/dashboard/tax';

export function taxPage(frame: Frame, view: TaxView) {
  const main = html`${faultSummary(view.faults)}
<p class="note">${policyWords(view.settings)}</p>
${documentNotes(view)}
${registrationsCard(frame, view)}
${thresholdsCard(view.thresholds, view.settings.merchantCountry)}
${overridesCard(frame, view)}`;
  return dashboardAnswer(frame, { title: 'Tax', section, main }, { statusCode: view.faults.length > 0 ? 422 : 200 });
}

/** What the merchant must know of the documents that are issued: an id is missing, or a PDF is not the legal invoice. */
function documentNotes({ settings, today }: TaxView): Html {
  const duty = eInvoicingDutyOf(settings.merchantCountry);
  return html`${
    lacksSellerTaxId(settings) &&
    html`<p class="note wait">Invoices with reverse charge must show your tax id, and there is none. Give it with the registration, or ask your operator to set <code>taxId</code> in the merchant’s file.</p>
`
  }${
    duty &&
    html`<p class="note wait">${nameOf(settings.merchantCountry)}: between businesses that are established there, a PDF ${duty.phases.some(({ from }) => from <= today) ? 'is no longer' : 'will not be'} the legal invoice. The law wants ${duty.form}: ${duty.phases.map(({ from, sellers }) => `from ${formatDate(from, 'en')} of ${sellers}`).join('; ')}. Tillstack sends none. It gives each document as XML by EN 16931, which an accountant’s service can convert and send.</p>
`
  }`;
}

const nameOf = (country: string): string => nameCountries([country], 'en')[0]?.name ?? country;

const policyWords = ({ collectPolicy, registrations }: TaxSettings): string => {
  if (collectPolicy === 'everywhere')
    return 'This stack collects tax everywhere, also where you are not registered. Its configuration says so.';
  return registrations.length === 0
    ? 'No tax is collected anywhere, because there is no registration. Add the places where you are registered.'
    : 'Tax is collected where you are registered, and nowhere else.';
};
