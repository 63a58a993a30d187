import type { CheckoutStrings } from './en.ts';

export const checkoutFr: CheckoutStrings = {
  'code.add': 'Ajouter un code de réduction',
  'code.label': 'Code de réduction',
  'code.apply': 'Appliquer',
  'code.remove': 'Retirer {code}',
  'code.applied': 'Le code {code} est appliqué.',
  'code.removed': 'Le code {code} est retiré.',
  'code.held': 'Les codes ne font pas descendre ce montant sous le minimum de {minimum}.',
  'offer.code': 'Avec le code de réduction {code}, s’il est valable pour cette commande.',
  'currency.label': 'Devise',
  'currency.changed': 'Les prix sont maintenant en {currency}.',
  'amount.stays': 'Sur {gross}, {net} reviennent à {merchant} après taxes.',
  'quantity.label': 'Quantité',
  'quantity.less': 'Un de moins',
  'quantity.more': 'Un de plus',
  'fault.quantity': 'Saisissez un nombre entier de {minimum} à {maximum}.',
  'receipt.delivery': 'Comment obtenir votre achat',
  'receipt.open': 'Accéder à votre achat',
  'fault.code.invalid': 'Ce code n’est pas valable. Vérifiez comment il s’écrit.',
  'fault.code.expired': 'Ce code a expiré.',
  'fault.code.not_yet': 'Ce code n’est pas encore valable.',
  'fault.code.used_up': 'Ce code est épuisé.',
  'fault.code.products': 'Ce code ne s’applique pas à ces produits.',
  'fault.code.currency': 'Ce code n’est pas valable en {currency}.',
  'fault.code.minimum': 'Le code demande une commande d’au moins {minimum}.',
  'fault.code.tries': 'Trop de codes erronés ont été saisis. Vous pouvez toujours payer sans code.',
  'fault.code.too_many': 'Aucun autre code ne peut être ajouté à cette commande.',
  'notice.code_not_yours':
    'Le code {code} ne vaut pas pour cette adresse e-mail. Sans lui, le total est de {total}. Vérifiez-le, puis payez.',
  'notice.code_used_by_you':
    'Vous avez utilisé le code {code} autant de fois que possible. Sans lui, le total est de {total}. Vérifiez-le, puis payez.',
};
