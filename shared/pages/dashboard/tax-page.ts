import { taxCategories } from '../../domain/tax.ts';
import type { RateOverride } from '../../tax/override.ts';
import type { TaxRegistration } from '../../tax/registration.ts';
import type { TaxSettings } from '../../tax/settings.ts';
import type { DashboardForm } from '../../wire/dashboard-form.ts';
import { option, textField } from '../fields.ts';
import { formatRate, nameCountries } from '../format.ts';
import { type Html, html } from '../html.ts';
import { dashboardAnswer, type Frame } from './frame.ts';
import {
  actionButton,
  badge,
  choices,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  table,
} from './parts.ts';

const section = '/dashboard/tax';

export interface TaxView {
  settings: TaxSettings;
  countries: readonly string[];
  /** `2026-03-01`: what has begun and what is over. */
  today: string;
  /** What was typed into the form that was refused, and which one it is. */
  typed: DashboardForm | undefined;
  faults: readonly FormFault[];
}

export function taxPage(frame: Frame, view: TaxView) {
  const main = html`${faultSummary(view.faults)}
<p class="note">${policyWords(view.settings)}</p>
${registrationsCard(frame, view)}
${overridesCard(frame, view)}`;
  return dashboardAnswer(frame, { title: 'Tax', section, main }, { statusCode: view.faults.length > 0 ? 422 : 200 });
}

const policyWords = ({ collectPolicy, registrations }: TaxSettings): string => {
  if (collectPolicy === 'everywhere')
    return 'This stack shows tax everywhere, registered or not, as its configuration says.';
  return registrations.length === 0
    ? 'No tax is collected anywhere, because there is no registration. Add the places where you are registered.'
    : 'Tax is collected where you are registered, and nowhere else.';
};

const countryName = (code: string): string => nameCountries([code], 'en')[0]?.name ?? code;
const placeOf = ({ country, region }: { country: string; region?: string | undefined }): string =>
  region === undefined ? countryName(country) : `${countryName(country)}, ${region}`;

const schemes = [
  { value: 'standard', label: 'Standard', hint: 'An ordinary registration with this country, or state.' },
  { value: 'oss', label: 'One-Stop Shop', hint: 'One registration in the European Union for all of its countries.' },
  { value: 'simplified', label: 'Simplified', hint: 'A scheme for foreign sellers of electronic services.' },
];

function registrationsCard(frame: Frame, { settings, countries, today, typed, faults }: TaxView): Html {
  const { registrations } = settings;
  const isMine = typed?.text('action') === 'add_registration';
  return html`<section class="card" aria-labelledby="registrations-title"><h2 id="registrations-title">Registrations</h2>
${registrations.length === 0 ? html`<p class="soft">None yet.</p>` : registrationTable(frame, registrations, today)}
${
  frame.viewer.canWrite &&
  html`<details${isMine && html` open`}><summary>Add a registration</summary>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
<div class="pair">${countryField('registration-country', countries, isMine ? typed.text('country') : settings.merchantCountry)}
${textOf(typed, isMine, faults, 'region', 'State or province', 'US, Canada and India only, such as TX.')}
${textOf(typed, isMine, faults, 'tax_id', 'Your tax id there (optional)', 'Printed on documents.')}</div>
${choices('scheme', 'Scheme', (isMine && typed.text('scheme')) || 'standard', schemes)}
<div class="pair">${dateField(typed, isMine, faults, 'active_from', 'From', today)}${dateField(typed, isMine, faults, 'expires_at', 'Until before (optional)', '')}</div>
<p class="submit"><button class="main" name="action" value="add_registration">Add the registration</button></p></form></details>`
}</section>`;
}

const registrationTable = (frame: Frame, registrations: readonly TaxRegistration[], today: string): Html =>
  table(
    'Registrations',
    [
      { label: 'Place', cell: (one) => html`<strong>${placeOf(one)}</strong><span class="hint">${one.taxId}</span>` },
      { label: 'Scheme', cell: ({ scheme }) => schemes.find(({ value }) => value === scheme)?.label },
      { label: 'From', cell: ({ activeFrom }) => activeFrom },
      { label: 'Until before', cell: ({ expiresAt }) => expiresAt ?? '–' },
      { label: 'State', cell: (one) => periodBadge(one.activeFrom, one.expiresAt, today) },
      { label: '', cell: (one) => registrationActions(frame, one) },
    ],
    registrations,
  );

function periodBadge(from: string, to: string | undefined, today: string): Html {
  if (today < from) return badge('not yet', 'wait');
  return to !== undefined && to <= today ? badge('over', 'none') : badge('in force', 'good');
}

function registrationActions(frame: Frame, { id, scheme, activeFrom, expiresAt, taxId }: TaxRegistration): Html {
  if (!frame.viewer.canWrite) return html``;
  return html`<details><summary>Change</summary><form method="post" action="${section}">${formKeys(frame)}<input type="hidden" name="id" value="${id}"><input type="hidden" name="scheme" value="${scheme}">
${textField({ id: `tax_id-${id}`, name: 'tax_id', label: 'Tax id', value: taxId ?? '', maxLength: 50, isCode: true })}
<div class="field"><label for="from-${id}">From</label><input type="date" id="from-${id}" name="active_from" value="${activeFrom}"></div>
<div class="field"><label for="to-${id}">Until before</label><input type="date" id="to-${id}" name="expires_at" value="${expiresAt}"></div>
<p class="submit"><button class="second" name="action" value="change_registration">Save</button></p></form>
${guarded(frame, 'Remove', 'Payments keep the figures they were made with.', { to: section, action: 'remove_registration', label: 'Remove', fields: { id } })}</details>`;
}

const modes = [
  { value: 'replace', label: 'Instead of the table’s rate' },
  { value: 'add', label: 'On top of it', hint: 'Such as a city’s sales tax on top of the state’s.' },
];
const taxabilities = ['taxable', 'zero_rated', 'exempt', 'not_taxable', 'no_tax', 'outside_scope'];

function overridesCard(frame: Frame, { settings, countries, today, typed, faults }: TaxView): Html {
  const isMine = typed?.text('action') === 'add_override';
  const text = (name: string, label: string, hint = '') =>
    textOf(typed, isMine, faults, name, label, hint, 'override-');
  const value = (name: string) => (isMine ? typed.text(name) : '');
  return html`<section class="card" aria-labelledby="overrides-title"><h2 id="overrides-title">Own rates</h2>
<p class="lead">Rates of your own, instead of the bundled table’s or on top of them. Whoever uses one answers for it.</p>
${settings.overrides.length === 0 ? html`<p class="soft">None: the table’s rates apply.</p>` : overrideTable(frame, settings.overrides, today)}
${
  frame.viewer.canWrite &&
  html`<details${isMine && html` open`}><summary>Add a rate</summary>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
<div class="pair">${countryField('override-country', countries, value('country') || settings.merchantCountry)}${text('region', 'State or province (optional)')}${text('postal_code_prefix', 'Postal codes that begin with (optional)')}</div>
<div class="pair"><div class="field"><label for="category">Tax category</label><select id="category" name="category">${option('', 'All of them', value('category') === '')}${taxCategories.map((name) => option(name, name.replaceAll('_', ' '), name === value('category')))}</select></div>
<div class="field"><label for="taxability">What it is</label><select id="taxability" name="taxability">${taxabilities.map((name) => option(name, name.replaceAll('_', ' '), name === (value('taxability') || 'taxable')))}</select></div></div>
${choices('mode', 'How it applies', value('mode') || 'replace', modes)}
<div class="pair">${text('name_1', 'Name of the tax', 'Such as VAT.')}${text('rate_1', 'Rate in percent', 'Such as 7.25.')}</div>
<div class="pair">${text('name_2', 'A second tax (optional)')}${text('rate_2', 'Its rate in percent')}</div>
<div class="pair">${dateField(typed, isMine, faults, 'effective_from', 'From', today)}${dateField(typed, isMine, faults, 'effective_to', 'Until before (optional)', '')}</div>
${text('reason', 'Why you may do this', 'Kept with every payment that it applies to.')}
<p class="submit"><button class="main" name="action" value="add_override">Add the rate</button></p></form></details>`
}</section>`;
}

const overrideTable = (frame: Frame, overrides: readonly RateOverride[], today: string): Html =>
  table(
    'Own rates',
    [
      {
        label: 'Place',
        cell: (one) =>
          html`<strong>${placeOf(one)}</strong>${one.postalCodePrefix && html`<span class="hint">postal codes ${one.postalCodePrefix}…</span>`}`,
      },
      { label: 'Category', cell: ({ category }) => category?.replaceAll('_', ' ') ?? 'all' },
      { label: 'Rate', cell: rateWords },
      {
        label: 'From',
        cell: ({ effectiveFrom, effectiveTo }) =>
          html`${effectiveFrom} ${periodBadge(effectiveFrom, effectiveTo, today)}`,
      },
      { label: 'Why', cell: ({ reason }) => html`<span dir="auto">${reason}</span>` },
      {
        label: '',
        cell: ({ id }) =>
          actionButton(frame, { to: section, action: 'remove_override', label: 'Remove', fields: { id } }),
      },
    ],
    overrides,
  );

const rateWords = ({ mode, taxability, components }: RateOverride): string =>
  components.length === 0
    ? taxability.replaceAll('_', ' ')
    : `${mode === 'add' ? '+ ' : ''}${components.map(({ name, rate }) => `${name} ${formatRate(rate, 'en')}`).join(', ')}`;

const countryField = (id: string, countries: readonly string[], chosen: string): Html =>
  html`<div class="field"><label for="${id}">Country</label><select id="${id}" name="country">${nameCountries(countries, 'en').map(({ code, name }) => option(code, name, code === chosen))}</select></div>`;

function textOf(
  typed: DashboardForm | undefined,
  isMine: boolean,
  faults: readonly FormFault[],
  name: string,
  label: string,
  hint: string,
  prefix = '',
): Html {
  const value = isMine ? (typed?.text(name) ?? '') : '';
  const fault = isMine ? messageAt(faults, name) : undefined;
  return textField({ id: prefix + name, name, label, value, maxLength: 500, isCode: true, hint, fault });
}

function dateField(
  typed: DashboardForm | undefined,
  isMine: boolean,
  faults: readonly FormFault[],
  name: string,
  label: string,
  otherwise: string,
): Html {
  const fault = isMine ? messageAt(faults, name) : undefined;
  return html`<div class="field"><label for="${name}">${label}</label><input type="date" id="${name}" name="${name}" value="${isMine ? typed?.text(name) : otherwise}"${fault && html` aria-invalid="true" aria-describedby="${name}-fault"`}><p class="fault" id="${name}-fault">${fault}</p></div>`;
}
