import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { faultOf, hintOf, option, textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TaxRegistration } from '../../tax/rules/registration.ts';
import { type Frame, may } from '../frame.ts';
import { choices, dataTable, formKeys, guarded } from '../parts.ts';
import { countryField, dateField, entriesOf, periodBadge, placeText, textOf } from './tax-fields.ts';
import type { TaxView } from './tax-view.ts';

const commands = dashboardCommands.taxes;

const section = '/dashboard/tax';

const schemes = [
  { value: 'standard', label: 'Standard', hint: 'An ordinary registration in this country or state.' },
  { value: 'oss', label: 'One-Stop Shop', hint: 'One registration in the European Union for all of its countries.' },
  { value: 'simplified', label: 'Simplified', hint: 'A scheme for foreign sellers of electronic services.' },
];

/** Where the merchant is registered, and so collects. */
export function registrationsCard(frame: Frame, { settings, countries, today, ...posted }: TaxView): Html {
  const { registrations } = settings;
  const entries = entriesOf(posted, 'add_registration');
  return html`<section class="card" aria-labelledby="registrations-title"><h2 id="registrations-title">Registrations</h2>
${registrations.length === 0 ? html`<p class="soft">None yet.</p>` : registrationTable(frame, registrations, today)}
${
  may(frame, commands.add_registration) &&
  html`<details${entries.isOpen && html` open`}><summary>Add a registration</summary>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
<div class="pair">${countryField('registration-country', countries, entries.value('country', settings.merchantCountry))}
${textOf(entries, { name: 'region', label: 'State or province', hint: 'US, Canada and India only, such as TX.' })}
${textOf(entries, { name: 'tax_id', label: 'Your tax id there (optional)', hint: 'Printed on documents.' })}</div>
${choices('scheme', 'Scheme', entries.value('scheme') || 'standard', schemes)}
<div class="pair">${dateField(entries, { name: 'active_from', label: 'From' }, today)}${dateField(entries, { name: 'expires_at', label: 'Until, not included (optional)' })}</div>
${businessField('business_buyers', entries.value('business_buyers'), entries.fault('business_buyers'))}
<p class="submit"><button class="main" name="action" value="add_registration">Add the registration</button></p></form></details>`
}</section>`;
}

const registrationTable = (frame: Frame, registrations: readonly TaxRegistration[], today: string): Html =>
  dataTable(
    'Registrations',
    [
      { label: 'Place', cell: (one) => html`<strong>${placeText(one)}</strong><span class="hint">${one.taxId}</span>` },
      { label: 'Scheme', cell: ({ scheme }) => schemes.find(({ value }) => value === scheme)?.label },
      { label: 'From', cell: ({ activeFrom }) => activeFrom },
      { label: 'Until, not included', cell: ({ expiresAt }) => expiresAt ?? '–' },
      { label: 'State', cell: (one) => periodBadge(one.activeFrom, one.expiresAt, today) },
      { label: '', cell: (one) => registrationActions(frame, one) },
    ],
    registrations,
  );

const businessChoices = {
  '': 'As the table has it',
  relieved: 'They owe the tax themselves',
  charged: 'They are charged',
};

/** The merchant's own answer on businesses, which only places with an uncertain rule accept. */
const businessField = (id: string, chosen: string, fault?: string): Html =>
  html`<div class="field"><label for="${id}">Businesses with a tax id</label><select id="${id}" name="business_buyers" aria-describedby="${id}-hint">${Object.entries(businessChoices).map(([value, label]) => option(value, label, value === chosen))}</select>${hintOf(id, 'Change it only where the law is not certain: Egypt, Ghana, Israel, Tanzania, Uruguay, and countries without a rule.')}${faultOf(id, fault)}</div>`;

function registrationActions(
  frame: Frame,
  { id, scheme, activeFrom, expiresAt, taxId, businessBuyers }: TaxRegistration,
): Html {
  if (!may(frame, commands.change_registration)) return html``;
  return html`<details><summary>Change</summary><form method="post" action="${section}">${formKeys(frame)}<input type="hidden" name="id" value="${id}"><input type="hidden" name="scheme" value="${scheme}">
${textField({ id: `tax_id-${id}`, name: 'tax_id', label: 'Tax id', value: taxId ?? '', maxLength: 50, isCode: true })}
<div class="field"><label for="from-${id}">From</label><input type="date" id="from-${id}" name="active_from" value="${activeFrom}"></div>
<div class="field"><label for="to-${id}">Until, not included</label><input type="date" id="to-${id}" name="expires_at" value="${expiresAt}"></div>
${businessField(`business_buyers-${id}`, businessBuyers ?? '')}
<p class="submit"><button class="second" name="action" value="change_registration">Save</button></p></form>
${guarded(frame, 'Remove', 'Payments keep the figures they were made with.', { to: section, action: 'remove_registration', needs: commands.remove_registration, label: 'Remove', fields: { id } })}</details>`;
}
