import type { TaxLabelsKey } from './en.ts';

export const taxLabelsDe: Readonly<Record<TaxLabelsKey, string>> = {
  'tax.name.VAT': 'MwSt.',
  'tax.name.GST': 'GST',
  'tax.name.HST': 'HST',
  'tax.name.PST': 'PST',
  'tax.name.QST': 'QST',
  'tax.name.JCT': 'JCT',
  'tax.name.State sales tax': 'Verkaufssteuer des Bundesstaats',
  'tax.added': '{tax} {rate}',
  'tax.part': '{rate} auf {part} des Preises',
  'tax.exempt': 'Von der {tax} befreit',
  'tax.reverse_charge': 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge): {tax} führt der Käufer ab',
};
