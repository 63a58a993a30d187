import type { TaxLabelsKey } from './en.ts';

export const taxLabelsFr: Readonly<Record<TaxLabelsKey, string>> = {
  'tax.name.VAT': 'TVA',
  'tax.name.GST': 'TPS',
  'tax.name.HST': 'TVH',
  'tax.name.PST': 'TVP',
  'tax.name.QST': 'TVQ',
  'tax.name.JCT': 'JCT',
  'tax.name.State sales tax': 'taxe de vente de l’État',
  'tax.added': '{tax} {rate}',
  'tax.part': '{rate} sur {part} du prix',
  'tax.exempt': 'Exonéré de {tax}',
  'tax.reverse_charge': 'Autoliquidation : {tax} due par l’acheteur',
};
