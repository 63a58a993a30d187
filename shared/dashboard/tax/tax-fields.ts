import { option, textField } from '../../pages/fields.ts';
import { nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { DashboardForm } from '../form.ts';
import { badge, type FormFault, messageAt } from '../parts.ts';
import type { Texts } from '../texts.ts';

interface Place {
  country: string;
  region?: string | undefined;
}

const countryName = (code: string, locale: Locale): string => nameCountries([code], locale)[0]?.name ?? code;
export const placeText = ({ country, region }: Place, locale: Locale): string =>
  region === undefined ? countryName(country, locale) : `${countryName(country, locale)}, ${region}`;

interface Period {
  from: string;
  to: string | undefined;
  today: string;
}

/** Whether a period includes today. */
export function periodBadge({ from, to, today }: Period, t: Texts<TextKey<'tax'>>): Html {
  if (today < from) return badge('not yet', 'wait', t('state.notYet'));
  return to !== undefined && to <= today
    ? badge('over', 'none', t('state.over'))
    : badge('in force', 'good', t('state.inForce'));
}

export const countryField = (
  { id, countries, chosen }: { id: string; countries: readonly string[]; chosen: string },
  t: Texts<TextKey<'tax'>>,
): Html =>
  html`<div class="field"><label for="${id}">${t('country')}</label><select id="${id}" name="country">${nameCountries(countries, t.locale).map(({ code, name }) => option(code, name, code === chosen))}</select></div>`;

/** The entries of a refused form; empty if another form of the page was posted. */
export function entriesOf(
  { typed, faults }: { typed?: DashboardForm | undefined; faults: readonly FormFault[] },
  action: string,
) {
  const form = typed?.text('action') === action ? typed : undefined;
  return {
    isOpen: form !== undefined,
    value: (name: string, otherwise = '') => form?.text(name) ?? otherwise,
    fault: (name: string) => form && messageAt(faults, name),
  };
}
type Entries = ReturnType<typeof entriesOf>;

interface TaxField {
  name: string;
  label: string;
  hint?: string;
  prefix?: string;
}

export const textOf = ({ value, fault }: Entries, { name, label, hint = '', prefix = '' }: TaxField): Html =>
  textField({
    ...{ id: prefix + name, name, label, value: value(name), maxLength: 500, isCode: true, hint },
    fault: fault(name),
  });

export function dateField(entries: Entries, { name, label }: TaxField, otherwise = ''): Html {
  const fault = entries.fault(name);
  return html`<div class="field"><label for="${name}">${label}</label><input type="date" id="${name}" name="${name}" value="${entries.value(name, otherwise)}"${fault && html` aria-invalid="true" aria-describedby="${name}-fault"`}><p class="fault" id="${name}-fault">${fault}</p></div>`;
}
