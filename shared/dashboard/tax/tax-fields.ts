import { option, textField } from '../../pages/fields.ts';
import { nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { DashboardForm } from '../form.ts';
import { badge, type FormFault, messageAt } from '../parts.ts';

const countryName = (code: string): string => nameCountries([code], 'en')[0]?.name ?? code;
export const placeText = ({ country, region }: { country: string; region?: string | undefined }): string =>
  region === undefined ? countryName(country) : `${countryName(country)}, ${region}`;

/** Whether a period has begun, and is not over. */
export function periodBadge(from: string, to: string | undefined, today: string): Html {
  if (today < from) return badge('not yet', 'wait');
  return to !== undefined && to <= today ? badge('over', 'none') : badge('in force', 'good');
}

export const countryField = (id: string, countries: readonly string[], chosen: string): Html =>
  html`<div class="field"><label for="${id}">Country</label><select id="${id}" name="country">${nameCountries(countries, 'en').map(({ code, name }) => option(code, name, code === chosen))}</select></div>`;

/** What was entered into a form and refused; nothing where another form of the page was posted. */
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
