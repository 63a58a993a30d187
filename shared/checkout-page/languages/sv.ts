import type { CheckoutStrings } from './en.ts';

export const checkoutSv: CheckoutStrings = {
  'code.add': 'Lägg till en rabattkod',
  'code.label': 'Rabattkod',
  'code.apply': 'Använd',
  'code.remove': 'Ta bort {code}',
  'code.applied': 'Koden {code} används nu.',
  'code.removed': 'Koden {code} är borttagen.',
  'code.held': 'Koder sänker inte det här beloppet under minimum på {minimum}.',
  'offer.code': 'Med rabattkoden {code}, om den gäller för den här beställningen.',
  'currency.label': 'Valuta',
  'currency.changed': 'Priserna är nu i {currency}.',
  'amount.stays': 'Av {gross} får {merchant} behålla {net} efter skatt.',
  'quantity.label': 'Antal',
  'quantity.less': 'En färre',
  'quantity.more': 'En till',
  'fault.quantity': 'Ange ett heltal från {minimum} till {maximum}.',
  'receipt.delivery': 'Så får du ditt köp',
  'receipt.open': 'Öppna ditt köp',
  'fault.code.invalid': 'Den här koden är inte giltig. Kontrollera hur den skrivs.',
  'fault.code.expired': 'Den här koden har gått ut.',
  'fault.code.not_yet': 'Den här koden gäller inte ännu.',
  'fault.code.used_up': 'Den här koden är förbrukad.',
  'fault.code.products': 'Den här koden gäller inte för de här produkterna.',
  'fault.code.currency': 'Den här koden gäller inte i {currency}.',
  'fault.code.minimum': 'Koden kräver en beställning på minst {minimum}.',
  'fault.code.tries': 'För många felaktiga koder har angetts. Du kan fortfarande betala utan kod.',
  'fault.code.too_many': 'Inga fler koder kan läggas till i beställningen.',
  'notice.code_not_yours':
    'Koden {code} gäller inte för den här e-postadressen. Utan den är totalen {total}. Titta på den igen och betala sedan.',
  'notice.code_used_by_you':
    'Du har redan använt koden {code} så många gånger som det går. Utan den är totalen {total}. Titta på den igen och betala sedan.',
};
