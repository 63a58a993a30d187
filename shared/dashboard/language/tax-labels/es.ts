import type { TaxLabelsKey } from './en.ts';

export const taxLabelsEs: Readonly<Record<TaxLabelsKey, string>> = {
  'tax.name.VAT': 'IVA',
  'tax.name.GST': 'GST',
  'tax.name.HST': 'HST',
  'tax.name.PST': 'PST',
  'tax.name.QST': 'QST',
  'tax.name.JCT': 'JCT',
  'tax.name.State sales tax': 'impuesto estatal sobre las ventas',
  'tax.added': '{tax} {rate}',
  'tax.part': '{rate} sobre el {part} del precio',
  'tax.exempt': 'Exento de {tax}',
  'tax.reverse_charge': 'Inversión del sujeto pasivo: el comprador declara el {tax}',
};
