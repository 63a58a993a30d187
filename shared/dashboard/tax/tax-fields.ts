import { nameCountries } from '../../pages/format.ts';
import type { Html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import type { TextKey } from '../../texts/texts.ts';
import { type DrawEntry, drawing, shownTexts } from '../entries.ts';
import { badge } from '../parts.ts';
import type { Texts } from '../texts.ts';
import type { TaxForm } from './tax-entries.ts';
import type { TaxView } from './tax-view.ts';

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

interface ShownForm {
  /** The command of the form's button. */
  action: string;
  /** The rule that the form changes; empty for a new one. */
  id?: string;
  /** The values with which the form starts, in the JSON of the API. */
  json: object;
}

/** Draws the fields of a form. If the form was refused, they contain what was posted. */
export function drawnForm(
  { entries, fieldId }: TaxForm,
  { action, id = '', json }: ShownForm,
  { refused, locale }: Pick<TaxView, 'refused'> & { locale: Locale },
): { isRefused: boolean; field: DrawEntry; typed: Readonly<Record<string, string>> } {
  const posted = refused?.action === action && refused.id === id ? refused : undefined;
  const filled = posted?.filled ?? { typed: shownTexts(entries, json, locale), locale };
  const field = drawing({ ...filled, faults: posted?.faults ?? [] }, fieldId);
  return { isRefused: posted !== undefined, field, typed: filled.typed };
}
