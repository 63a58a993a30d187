import { type LegalLabel, payLabel } from '../../pages/legal-labels.ts';
import { findLocale, type Locale } from '../../pages/locale.ts';

/** The facts that decide the words on the Pay button. */
export interface PayButton {
  locale: Locale;
  /** The chosen country; empty while it is unknown. */
  country: string;
  /** The total; null while it is not known. */
  total: number | null;
}

/** The words that the law requires on the button. Undefined if the total is 0, or if no such law applies. */
export const prescribedLabel = ({ locale, country, total }: PayButton): LegalLabel | undefined =>
  total === 0 ? undefined : payLabel(locale, country);

/** Identifies the label on the button, as the form posts it: `<id>:<language>:<country>`. */
export function shownLabel(button: PayButton): string {
  const id = button.total === 0 ? 'free' : prescribedLabel(button) ? 'order' : 'pay';
  return [id, button.locale, button.country].join(':');
}

const ids = ['free', 'order', 'pay'];

/** The label as the payment stores it. Undefined if no page of ours has posted it. */
export function keptLabel(posted: string): string | undefined {
  const [id = '', language, country = '', ...others] = posted.split(':');
  const isOurs = ids.includes(id) && findLocale(language) === language && /^([A-Z]{2})?$/.test(country);
  return isOurs && others.length === 0 ? posted : undefined;
}

/** Whether the label that a page showed has the words that the law requires for this order. */
export function fitsOrder(posted: string, order: PayButton): boolean {
  const needed = prescribedLabel(order);
  if (!needed) return true;
  const [id, language, country = ''] = posted.split(':');
  const locale = findLocale(language);
  const shown = id === 'order' && locale ? payLabel(locale, country) : undefined;
  return shown?.words === needed.words && shown.beside?.words === needed.beside?.words;
}
