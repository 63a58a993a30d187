/** The texts of the checkout page alone, which the pages around it do without. The other languages have the same keys and placeholders. */
export const checkoutEn = {
  'code.add': 'Add a discount code',
  'code.label': 'Discount code',
  'code.apply': 'Apply',
  'code.remove': 'Remove {code}',
  'code.applied': 'The code {code} is applied.',
  'code.removed': 'The code {code} is removed.',
  'code.held': 'Codes do not lower this below the minimum of {minimum}.',
  'offer.checkout': 'Checkout',
  'offer.code': 'With the discount code {code}, if it is valid for this order.',
  'currency.label': 'Currency',
  'currency.changed': 'The prices are now in {currency}.',
  'amount.stays': 'Of {gross}, {net} stays with {merchant} after tax.',
  'quantity.label': 'Quantity',
  'quantity.less': 'One less',
  'quantity.more': 'One more',
  'fault.quantity': 'Enter a whole number from {minimum} to {maximum}.',
  'receipt.delivery': 'How to get it',
  'receipt.open': 'Open your purchase',
  'fault.code.invalid': 'This code is not valid. Check how it is written.',
  'fault.code.expired': 'This code has expired.',
  'fault.code.not_yet': 'This code is not valid yet.',
  'fault.code.used_up': 'This code has been used up.',
  'fault.code.products': 'This code is not for these products.',
  'fault.code.currency': 'This code is not valid in {currency}.',
  'fault.code.minimum': 'The code needs an order of at least {minimum}.',
  'fault.code.tries': 'Too many wrong codes were entered. You can still pay without one.',
  'fault.code.too_many': 'No more codes can be added to this order.',
  'notice.code_not_yours':
    'The code {code} is not for this e-mail address. Without it, the total is {total}. Check it, then pay.',
  'notice.code_used_by_you':
    'You have used the code {code} as often as you can. Without it, the total is {total}. Check it, then pay.',
};

export type CheckoutStrings = Readonly<Record<keyof typeof checkoutEn, string>>;
