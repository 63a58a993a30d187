/** What the form of a product says about its link and what follows the payment. */
export const offerEn = {
  quantity: 'Quantity that buyers may choose',
  'quantity.least': 'At least',
  'quantity.most': 'At most',
  'quantity.hint': 'For the link of this product. Empty: buyers cannot change the quantity.',
  'quantity.fault': 'Enter whole numbers from 1 to 1,000, the lower one first.',
  purpose: 'What the money does (optional)',
  'purpose.hint': 'One sentence of at most 200 characters, shown under the amount.',
  'purpose.fault': 'Enter at most 200 characters in one line, without card numbers.',
  net: 'Show what stays with you after tax',
  'net.hint': '“Of €10.00, €8.40 stays with you after tax.” The checkout page computes it for every buyer.',
  delivery: 'After paying',
  'delivery.hint':
    'Only the buyer sees it, on the page after the payment. What has been bought already keeps what it said.',
  'delivery.url': 'Address to open (optional)',
  'delivery.url.fault': 'Enter an address that begins with https://.',
  'delivery.instructions': 'How to get it (optional)',
  'delivery.instructions.fault': 'Enter at most 1,000 characters, without card numbers.',
} as const;

export type OfferKey = keyof typeof offerEn;
