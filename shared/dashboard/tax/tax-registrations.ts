import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { faultOf, hintOf, option, textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TaxRegistration } from '../../tax/rules/registration.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dayText } from '../dates.ts';
import { type Frame, may } from '../frame.ts';
import { card, choices, dataTable, formKeys, guarded } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { countryField, dateField, entriesOf, periodBadge, placeText, textOf } from './tax-fields.ts';
import type { TaxView } from './tax-view.ts';

const commands = dashboardCommands.taxes;

const section = '/dashboard/tax';

const schemes = ['standard', 'oss', 'simplified'] as const;

/** A card with the places where the merchant is registered and so collects tax. */
export function registrationsCard(frame: Frame, { settings, countries, today, ...posted }: TaxView): Html {
  const t = textsOf(dashboardTexts('tax'), frame);
  const { registrations } = settings;
  const entries = entriesOf(posted, 'add_registration');
  return card(
    { name: 'registrations', title: t('registrations') },
    html`${registrations.length === 0 ? html`<p class="soft">${t('registrations.none')}</p>` : registrationTable(frame, { registrations, today }, t)}
${
  may(frame, commands.add_registration) &&
  html`<details${entries.isOpen && html` open`}><summary>${t('registrations.add')}</summary>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
<div class="pair">${countryField({ id: 'registration-country', countries, chosen: entries.value('country', settings.merchantCountry) }, t)}
${textOf(entries, { name: 'region', label: t('region'), hint: t('region.hint') })}
${textOf(entries, { name: 'tax_id', label: t('taxId.there'), hint: t('taxId.hint') })}</div>
${choices(
  'scheme',
  t('scheme'),
  entries.value('scheme') || 'standard',
  schemes.map((value) => ({ value, label: t(`scheme.${value}`), hint: t(`scheme.${value}.hint`) })),
)}
<div class="pair">${dateField(entries, { name: 'active_from', label: t('from') }, today)}${dateField(entries, { name: 'expires_at', label: t('until.optional') })}</div>
${businessField({ id: 'business_buyers', chosen: entries.value('business_buyers'), fault: entries.fault('business_buyers') }, t)}
<p class="submit"><button class="main" name="action" value="add_registration">${t('registrations.button')}</button></p></form></details>`
}`,
  );
}

interface RegistrationList {
  registrations: readonly TaxRegistration[];
  today: string;
}

const registrationTable = (frame: Frame, { registrations, today }: RegistrationList, t: Texts<TextKey<'tax'>>): Html =>
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
        cell: (one) => registrationActions(frame, one, t),
      },
    ],
    registrations,
  );

const businessChoices = [
  ['', 'businesses.table'],
  ['relieved', 'businesses.relieved'],
  ['charged', 'businesses.charged'],
] as const;

interface BusinessField {
  id: string;
  chosen: string;
  fault?: string | undefined;
}

/** The merchant's decision about sales to businesses. Only places with an unclear rule accept it. */
const businessField = ({ id, chosen, fault }: BusinessField, t: Texts<TextKey<'tax'>>): Html =>
  html`<div class="field"><label for="${id}">${t('businesses')}</label><select id="${id}" name="business_buyers" aria-describedby="${id}-hint">${businessChoices.map(([value, label]) => option(value, t(label), value === chosen))}</select>${hintOf(id, t('businesses.hint'))}${faultOf(id, fault)}</div>`;

function registrationActions(
  frame: Frame,
  { id, scheme, activeFrom, expiresAt, taxId, businessBuyers }: TaxRegistration,
  t: Texts<TextKey<'tax'>>,
): Html {
  if (!may(frame, commands.change_registration)) return html``;
  return html`<details><summary>${t('change')}</summary><form method="post" action="${section}">${formKeys(frame)}<input type="hidden" name="id" value="${id}"><input type="hidden" name="scheme" value="${scheme}">
${textField({ id: `tax_id-${id}`, name: 'tax_id', label: t('taxId'), value: taxId ?? '', maxLength: 50, isCode: true })}
<div class="field"><label for="from-${id}">${t('from')}</label><input type="date" id="from-${id}" name="active_from" value="${activeFrom}"></div>
<div class="field"><label for="to-${id}">${t('until')}</label><input type="date" id="to-${id}" name="expires_at" value="${expiresAt}"></div>
${businessField({ id: `business_buyers-${id}`, chosen: businessBuyers ?? '' }, t)}
<p class="submit"><button class="second" name="action" value="change_registration">${t('save')}</button></p></form>
${guarded(frame, t('remove'), t('remove.text'), { to: section, action: 'remove_registration', needs: commands.remove_registration, label: t('remove'), fields: { id } })}</details>`;
}
