import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import { option } from '../../pages/fields.ts';
import { formatRate } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { RateOverride } from '../../tax/rules/override.ts';
import { type Frame, may } from '../frame.ts';
import { actionButton, choices, dataTable, formKeys } from '../parts.ts';
import { countryField, dateField, entriesOf, periodBadge, placeText, textOf } from './tax-fields.ts';
import type { TaxView } from './tax-view.ts';

const commands = dashboardCommands.taxes;

const section = '/dashboard/tax';

const modes = [
  { value: 'replace', label: 'Replaces the table’s rate' },
  { value: 'add', label: 'Adds to the table’s rate', hint: 'Such as a city’s sales tax on top of the state’s.' },
];
const taxabilities = ['taxable', 'zero_rated', 'exempt', 'not_taxable', 'no_tax', 'outside_scope'];

/** Rates of the merchant's own. */
export function overridesCard(frame: Frame, { settings, countries, today, ...posted }: TaxView): Html {
  const entries = entriesOf(posted, 'add_override');
  const { value } = entries;
  const text = (name: string, label: string, hint = '') => textOf(entries, { name, label, hint, prefix: 'override-' });
  return html`<section class="card" aria-labelledby="overrides-title"><h2 id="overrides-title">Own rates</h2>
<p class="lead">Your own rates, which replace the rates of the bundled table or add to them. You are responsible for them.</p>
${settings.overrides.length === 0 ? html`<p class="soft">None. The rates of the table apply.</p>` : overrideTable(frame, settings.overrides, today)}
${
  may(frame, commands.add_override) &&
  html`<details${entries.isOpen && html` open`}><summary>Add a rate</summary>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
<div class="pair">${countryField('override-country', countries, value('country') || settings.merchantCountry)}${text('region', 'State or province (optional)')}${text('postal_code_prefix', 'Postal codes that begin with (optional)')}</div>
<div class="pair"><div class="field"><label for="category">Tax category</label><select id="category" name="category">${option('', 'All categories', value('category') === '')}${taxCategories.map((name) => option(name, name.replaceAll('_', ' '), name === value('category')))}</select></div>
<div class="field"><label for="taxability">Treatment</label><select id="taxability" name="taxability">${taxabilities.map((name) => option(name, name.replaceAll('_', ' '), name === (value('taxability') || 'taxable')))}</select></div></div>
${choices('mode', 'How it applies', value('mode') || 'replace', modes)}
<div class="pair">${text('name_1', 'Name of the tax', 'Such as VAT.')}${text('rate_1', 'Rate in percent', 'Such as 7.25.')}</div>
<div class="pair">${text('name_2', 'A second tax (optional)')}${text('rate_2', 'Rate of the second tax in percent')}</div>
<div class="pair">${dateField(entries, { name: 'effective_from', label: 'From' }, today)}${dateField(entries, { name: 'effective_to', label: 'Until, not included (optional)' })}</div>
${text('reason', 'Your reason', 'Stored with every payment that uses this rate. Printed on documents if the sale is exempt.')}
<div class="pair">${text('customer_id', 'Only for the customer (optional)', 'Such as cus_…, for a customer who is exempt: choose Replaces and exempt.')}${text('certificate', 'Number of the customer’s certificate', 'Printed on the customer’s documents.')}</div>
<p class="submit"><button class="main" name="action" value="add_override">Add the rate</button></p></form></details>`
}</section>`;
}

const overrideTable = (frame: Frame, overrides: readonly RateOverride[], today: string): Html =>
  dataTable(
    'Own rates',
    [
      {
        label: 'Place',
        cell: (one) =>
          html`<strong>${placeText(one)}</strong>${one.postalCodePrefix && html`<span class="hint">postal codes ${one.postalCodePrefix}…</span>`}`,
      },
      { label: 'Category', cell: ({ category }) => category?.replaceAll('_', ' ') ?? 'all' },
      { label: 'Rate', cell: rateWords },
      {
        label: 'From',
        cell: ({ effectiveFrom, effectiveTo }) =>
          html`${effectiveFrom} ${periodBadge(effectiveFrom, effectiveTo, today)}`,
      },
      {
        label: 'Why',
        cell: ({ reason, customerId, certificate }) =>
          html`<span dir="auto">${reason}</span>${customerId && html`<span class="hint"><code>${customerId}</code> ${certificate}</span>`}`,
      },
      {
        label: '',
        cell: ({ id }) =>
          actionButton(frame, {
            to: section,
            action: 'remove_override',
            needs: commands.remove_override,
            label: 'Remove',
            fields: { id },
          }),
      },
    ],
    overrides,
  );

const rateWords = ({ mode, taxability, components }: RateOverride): string =>
  components.length === 0
    ? taxability.replaceAll('_', ' ')
    : `${mode === 'add' ? '+ ' : ''}${components.map(({ name, rate }) => `${name} ${formatRate(rate, 'en')}`).join(', ')}`;
