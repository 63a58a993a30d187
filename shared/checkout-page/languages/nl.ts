import type { CheckoutStrings } from './en.ts';

export const checkoutNl: CheckoutStrings = {
  'code.add': 'Een kortingscode toevoegen',
  'code.label': 'Kortingscode',
  'code.apply': 'Toepassen',
  'code.remove': '{code} verwijderen',
  'code.applied': 'De code {code} is toegepast.',
  'code.removed': 'De code {code} is verwijderd.',
  'code.held': 'Codes verlagen dit bedrag niet tot onder het minimum van {minimum}.',
  'offer.code': 'Met de kortingscode {code}, als die voor deze bestelling geldt.',
  'currency.label': 'Valuta',
  'currency.changed': 'De prijzen zijn nu in {currency}.',
  'amount.stays': 'Van {gross} houdt {merchant} na belasting {net} over.',
  'quantity.label': 'Aantal',
  'quantity.less': 'Eén minder',
  'quantity.more': 'Eén meer',
  'fault.quantity': 'Vul een heel getal van {minimum} tot en met {maximum} in.',
  'receipt.delivery': 'Zo krijg je je aankoop',
  'receipt.open': 'Open je aankoop',
  'fault.code.invalid': 'Deze code is niet geldig. Controleer hoe je hem schrijft.',
  'fault.code.expired': 'Deze code is verlopen.',
  'fault.code.not_yet': 'Deze code is nog niet geldig.',
  'fault.code.used_up': 'Deze code is opgebruikt.',
  'fault.code.products': 'Deze code is niet voor deze producten.',
  'fault.code.currency': 'Deze code is niet geldig in {currency}.',
  'fault.code.minimum': 'De code vraagt een bestelling van minstens {minimum}.',
  'fault.code.tries': 'Er zijn te veel verkeerde codes ingevoerd. Je kunt nog steeds zonder code betalen.',
  'fault.code.too_many': 'Aan deze bestelling kunnen geen codes meer worden toegevoegd.',
  'notice.code_not_yours':
    'De code {code} is niet voor dit e-mailadres. Zonder de code is het totaal {total}. Controleer het en betaal dan.',
  'notice.code_used_by_you':
    'Je hebt de code {code} al zo vaak gebruikt als kan. Zonder de code is het totaal {total}. Controleer het en betaal dan.',
};
