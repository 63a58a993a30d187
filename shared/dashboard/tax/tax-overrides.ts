import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import { amountText } from '../../pages/amount-input.ts';
import { option } from '../../pages/fields.ts';
import { formatRate } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { RateOverride } from '../../tax/rules/override.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dayText } from '../dates.ts';
import { type Frame, may } from '../frame.ts';
import { actionButton, card, choices, dataTable, formKeys } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { countryField, dateField, entriesOf, periodBadge, placeText, textOf } from './tax-fields.ts';
import type { TaxView } from './tax-view.ts';

const commands = dashboardCommands.taxes;

const section = '/dashboard/tax';

const taxabilities = ['taxable', 'zero_rated', 'exempt', 'not_taxable', 'no_tax', 'outside_scope'] as const;

/** A card with the merchant's own tax rates. */
export function overridesCard(frame: Frame, { settings, countries, today, ...posted }: TaxView): Html {
  const t = textsOf(dashboardTexts('tax'), frame);
  const entries = entriesOf(posted, 'add_override');
  const modes = [
    { value: 'replace', label: t('overrides.replace') },
    { value: 'add', label: t('overrides.addTo'), hint: t('overrides.addTo.hint') },
  ];
  const { value } = entries;
  const text = (name: string, label: string, hint = '') => textOf(entries, { name, label, hint, prefix: 'override-' });
  return card(
    { name: 'overrides', title: t('overrides') },
    html`<p class="lead">${t('overrides.lead')}</p>
${settings.overrides.length === 0 ? html`<p class="soft">${t('overrides.none')}</p>` : overrideTable(frame, { overrides: settings.overrides, today }, t)}
${
  may(frame, commands.add_override) &&
  html`<details${entries.isOpen && html` open`}><summary>${t('overrides.add')}</summary>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
<div class="pair">${countryField({ id: 'override-country', countries, chosen: value('country') || settings.merchantCountry }, t)}${text('region', t('region.optional'))}${text('postal_code_prefix', t('overrides.postal'))}</div>
<div class="pair"><div class="field"><label for="category">${t('overrides.category')}</label><select id="category" name="category">${option('', t('overrides.allCategories'), value('category') === '')}${taxCategories.map((name) => option(name, t(`category.${name}`), name === value('category')))}</select></div>
<div class="field"><label for="taxability">${t('overrides.treatment')}</label><select id="taxability" name="taxability">${taxabilities.map((name) => option(name, t(`treatment.${name}`), name === (value('taxability') || 'taxable')))}</select></div></div>
${choices('mode', t('overrides.mode'), value('mode') || 'replace', modes)}
<div class="pair">${text('name_1', t('overrides.name'), t('overrides.name.hint', { example: 'VAT' }))}${text('rate_1', t('overrides.rate'), t('overrides.name.hint', { example: amountText(725, 'EUR', t.locale) }))}</div>
<div class="pair">${text('name_2', t('overrides.name2'))}${text('rate_2', t('overrides.rate2'))}</div>
<div class="pair">${dateField(entries, { name: 'effective_from', label: t('from') }, today)}${dateField(entries, { name: 'effective_to', label: t('until.optional') })}</div>
${text('reason', t('overrides.reason'), t('overrides.reason.hint'))}
<div class="pair">${text('customer_id', t('overrides.customer'), t('overrides.customer.hint', { example: 'cus_…' }))}${text('certificate', t('overrides.certificate'), t('overrides.certificate.hint'))}</div>
<p class="submit"><button class="main" name="action" value="add_override">${t('overrides.button')}</button></p></form></details>`
}`,
  );
}

interface OverrideList {
  overrides: readonly RateOverride[];
  today: string;
}

const overrideTable = (frame: Frame, { overrides, today }: OverrideList, t: Texts<TextKey<'tax'>>): Html =>
  dataTable(
    t('overrides'),
    [
      {
        label: t('place'),
        cell: (one) =>
          html`<strong>${placeText(one, t.locale)}</strong>${one.postalCodePrefix && html`<span class="hint">${t('overrides.postalCodes', { prefix: one.postalCodePrefix })}</span>`}`,
      },
      { label: t('category'), cell: ({ category }) => t(category ? `category.${category}` : 'category.all') },
      { label: t('rate'), cell: (one) => rateWords(one, t) },
      {
        label: t('from'),
        cell: ({ effectiveFrom, effectiveTo }) =>
          html`${dayText(effectiveFrom, t.locale)} ${periodBadge({ from: effectiveFrom, to: effectiveTo, today }, t)}`,
      },
      {
        label: t('why'),
        cell: ({ reason, customerId, certificate }) =>
          html`<span dir="auto">${reason}</span>${customerId && html`<span class="hint"><code>${customerId}</code> ${certificate}</span>`}`,
      },
      {
        label: '',
        spokenLabel: t('table.actions'),
        cell: ({ id }) =>
          actionButton(frame, {
            to: section,
            action: 'remove_override',
            needs: commands.remove_override,
            label: t('remove'),
            fields: { id },
          }),
      },
    ],
    overrides,
  );

const rateWords = ({ mode, taxability, components }: RateOverride, t: Texts<TextKey<'tax'>>): string =>
  components.length === 0
    ? t(`treatment.${taxability}`)
    : `${mode === 'add' ? '+ ' : ''}${components.map(({ name, rate }) => `${name} ${formatRate(rate, t.locale)}`).join(', ')}`;
