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

/** A field that keeps its entry, if the entry belongs to this form. */
export function textOf(
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

export function dateField(
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
