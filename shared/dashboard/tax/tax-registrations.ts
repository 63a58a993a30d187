import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TaxRegistration } from '../../tax/rules/registration.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { presentRegistration } from '../../wire/tax/tax-rules.ts';
import { dayText } from '../dates.ts';
import { hiddenField } from '../entries.ts';
import { type Frame, may } from '../frame.ts';
import { card, dataTable, formKeys, guarded } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { registrationEntries as entries, registrationChangeForm, registrationForm } from './tax-entries.ts';
import { drawnForm, periodBadge, placeText } from './tax-fields.ts';
import type { TaxView } from './tax-view.ts';

const commands = dashboardCommands.taxes;

const section = '/dashboard/tax';

/** The card with the places where the merchant is registered, and therefore collects tax. */
export function registrationsCard(frame: Frame, { settings, today, refused }: TaxView): Html {
  const t = textsOf(dashboardTexts('tax'), frame);
  const { locale } = frame;
  const { registrations } = settings;
  const json = { country: settings.merchantCountry, scheme: 'standard', active_from: today };
  const { isRefused, field } = drawnForm(registrationForm, { action: 'add_registration', json }, { refused, locale });
  return card(
    { name: 'registrations', title: t('registrations') },
    html`${registrations.length === 0 ? html`<p class="soft">${t('registrations.none')}</p>` : registrationTable(frame, { registrations, today, refused }, t)}
${
  may(frame, commands.add_registration) &&
  html`<details${isRefused && html` open`}><summary>${t('registrations.add')}</summary>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
<div class="pair">${field(entries.country)}
${field(entries.region)}
${field(entries.taxId)}</div>
${field(entries.scheme)}
<div class="pair">${field(entries.from)}${field(entries.until)}</div>
${field(entries.businesses)}
<p class="submit"><button class="main" name="action" value="add_registration">${t('registrations.button')}</button></p></form></details>`
}`,
  );
}

interface RegistrationList extends Pick<TaxView, 'today' | 'refused'> {
  registrations: readonly TaxRegistration[];
}

const registrationTable = (
  frame: Frame,
  { registrations, today, refused }: RegistrationList,
  t: Texts<TextKey<'tax'>>,
): Html =>
  dataTable(
    t('registrations'),
    [
      {
        label: t('place'),
        cell: (one) => html`<strong>${placeText(one, t.locale)}</strong><span class="hint">${one.taxId}</span>`,
      },
      { label: t('scheme'), cell: ({ scheme }) => t(`scheme.${scheme}`) },
      { label: t('from'), cell: ({ activeFrom }) => dayText(activeFrom, t.locale) },
      { label: t('until'), cell: ({ expiresAt }) => (expiresAt ? dayText(expiresAt, t.locale) : '–') },
      {
        label: t('state'),
        cell: ({ activeFrom, expiresAt }) => periodBadge({ from: activeFrom, to: expiresAt, today }, t),
      },
      {
        label: '',
        spokenLabel: t('table.actions'),
        cell: (one) => registrationActions(frame, { registration: one, refused, today }, t),
      },
    ],
    registrations,
  );

function registrationActions(
  frame: Frame,
  { registration, refused, today }: Pick<TaxView, 'refused' | 'today'> & { registration: TaxRegistration },
  t: Texts<TextKey<'tax'>>,
): Html {
  if (!may(frame, commands.change_registration)) return html``;
  const { id } = registration;
  const shown = { action: 'change_registration', id, json: presentRegistration(registration) };
  const { isRefused, field, typed } = drawnForm(registrationChangeForm(id), shown, { refused, locale: frame.locale });
  return html`<details${isRefused && html` open`}><summary>${t('change')}</summary><form method="post" action="${section}" novalidate>${formKeys(frame)}<input type="hidden" name="id" value="${id}">${hiddenField({ name: 'scheme', value: typed['scheme'] ?? '' })}
${field(entries.taxId, { label: t('taxId'), hint: '' })}
${field(entries.from)}
${field(entries.until, { label: t('until') })}
${field(entries.businesses)}
<p class="submit"><button class="second" name="action" value="change_registration">${t('save')}</button></p></form>
${
  registration.activeFrom <= today
    ? html`<p class="hint">${t('registrations.begun')}</p>`
    : guarded(frame, t('remove'), t('remove.text'), {
        to: section,
        action: 'remove_registration',
        needs: commands.remove_registration,
        label: t('remove'),
        fields: { id },
      })
}</details>`;
}
