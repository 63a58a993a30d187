import { formatRate } from './format.ts';
import type { Locale } from './locale.ts';
import type { TaxRow } from './totals.ts';

/** Taxes whose names are translated. All others have the name that their country uses. */
const translatedTaxes = ['VAT', 'GST', 'HST', 'PST', 'QST', 'JCT', 'State sales tax'] as const;

type TaxName = (typeof translatedTaxes)[number];
type TaxLabelKey = `tax.${TaxName}` | 'tax.added' | 'tax.part' | 'tax.exempt' | 'tax.reverse_charge';

/** A function that returns the texts about taxes, for buyers' pages or for the dashboard. */
type TaxTexts = (key: TaxLabelKey, values?: Readonly<Record<string, string>>) => string;

/** A tax with its rate, or the reason why it is not charged: `VAT 19 %`. */
export function taxLabel({ kind, name, rate, baseFraction }: TaxRow, locale: Locale, t: TaxTexts): string {
  const tax = taxName(name, t);
  if (kind === 'exempt') return t('tax.exempt', { tax });
  if (kind === 'reverse_charge') return t('tax.reverse_charge', { tax });
  const percent = formatRate(rate ?? '0', locale);
  const isWhole = baseFraction === '1';
  const words = isWhole ? percent : t('tax.part', { rate: percent, part: formatRate(baseFraction, locale) });
  return capitalized(t('tax.added', { tax, rate: words }));
}

/**
 * Writes the first letter of a row as a capital, for languages that write taxes in small letters: `moms 25 %` → `Moms
 * 25 %`.
 */
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function taxName(name: string, t: TaxTexts): string {
  const known = translatedTaxes.find((one) => one === name);
  return known ? t(`tax.${known}`) : name;
}
