/** How taxes are called on the pages of payments and products. The other languages have the same keys and placeholders. */
export const taxLabelsEn = {
  'tax.name.VAT': 'VAT',
  'tax.name.GST': 'GST',
  'tax.name.HST': 'HST',
  'tax.name.PST': 'PST',
  'tax.name.QST': 'QST',
  'tax.name.JCT': 'JCT',
  'tax.name.State sales tax': 'State sales tax',
  'tax.added': '{tax} {rate}',
  'tax.part': '{rate} on {part} of the price',
  'tax.exempt': 'Exempt from {tax}',
  'tax.reverse_charge': 'Reverse charge: the buyer accounts for the {tax}',
} as const;

export type TaxLabelsKey = keyof typeof taxLabelsEn;
