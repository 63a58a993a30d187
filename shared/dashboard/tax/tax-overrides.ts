import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { formatRate } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { RateOverride } from '../../tax/rules/override.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dayText } from '../dates.ts';
import { type Frame, may } from '../frame.ts';
import { actionButton, card, dataTable, formKeys } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { overrideEntries as entries, overrideForm } from './tax-entries.ts';
import { drawnForm, periodBadge, placeText } from './tax-fields.ts';
import type { TaxView } from './tax-view.ts';

const commands = dashboardCommands.taxes;

const section = '/dashboard/tax';

/** A card with the merchant's own tax rates. */
export function overridesCard(frame: Frame, { settings, today, refused }: TaxView): Html {
  const t = textsOf(dashboardTexts('tax'), frame);
  const { overrides, merchantCountry: country } = settings;
  const json = { country, mode: 'replace', taxability: 'taxable', effective_from: today };
  const shown = { action: 'add_override', json };
  const { isRefused, field } = drawnForm(overrideForm, shown, { refused, locale: frame.locale });
  return card(
    { name: 'overrides', title: t('overrides') },
    html`<p class="lead">${t('overrides.lead')}</p>
${overrides.length === 0 ? html`<p class="soft">${t('overrides.none')}</p>` : overrideTable(frame, { overrides, today }, t)}
${
  may(frame, commands.add_override) &&
  html`<details${isRefused && html` open`}><summary>${t('overrides.add')}</summary>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
<div class="pair">${field(entries.country)}${field(entries.region)}${field(entries.postalCodes)}</div>
<div class="pair">${field(entries.category)}
${field(entries.taxability)}</div>
${field(entries.mode)}
<div class="pair">${field(entries.name)}${field(entries.rate)}</div>
<div class="pair">${field(entries.name2)}${field(entries.rate2)}</div>
<div class="pair">${field(entries.from)}${field(entries.until)}</div>
${field(entries.reason)}
<div class="pair">${field(entries.customer)}${field(entries.certificate)}</div>
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
