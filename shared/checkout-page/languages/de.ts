import type { CheckoutStrings } from './en.ts';

export const checkoutDe: CheckoutStrings = {
  'code.add': 'Rabattcode hinzufügen',
  'code.label': 'Rabattcode',
  'code.apply': 'Einlösen',
  'code.remove': '{code} entfernen',
  'code.applied': 'Der Code {code} ist eingelöst.',
  'code.removed': 'Der Code {code} ist entfernt.',
  'code.held': 'Codes senken diesen Betrag nicht unter das Minimum von {minimum}.',
  'offer.code': 'Mit dem Rabattcode {code}, falls er für diese Bestellung gilt.',
  'currency.label': 'Währung',
  'currency.changed': 'Die Preise sind jetzt in {currency}.',
  'amount.stays': 'Von {gross} bleiben {merchant} nach Abzug der Steuer {net}.',
  'quantity.label': 'Menge',
  'quantity.less': 'Eins weniger',
  'quantity.more': 'Eins mehr',
  'fault.quantity': 'Geben Sie eine ganze Zahl von {minimum} bis {maximum} ein.',
  'receipt.delivery': 'So erhalten Sie Ihren Kauf',
  'receipt.open': 'Zum Kauf',
  'fault.code.invalid': 'Dieser Code ist nicht gültig. Prüfen Sie die Schreibweise.',
  'fault.code.expired': 'Dieser Code ist abgelaufen.',
  'fault.code.not_yet': 'Dieser Code ist noch nicht gültig.',
  'fault.code.used_up': 'Dieser Code ist aufgebraucht.',
  'fault.code.products': 'Dieser Code gilt nicht für diese Produkte.',
  'fault.code.currency': 'Dieser Code gilt nicht in {currency}.',
  'fault.code.minimum': 'Der Code gilt ab einem Bestellwert von {minimum}.',
  'fault.code.tries': 'Es wurden zu viele falsche Codes eingegeben. Sie können weiterhin ohne Code bezahlen.',
  'fault.code.too_many': 'Zu dieser Bestellung können keine weiteren Codes hinzugefügt werden.',
  'notice.code_not_yours':
    'Der Code {code} gilt nicht für diese E-Mail-Adresse. Ohne ihn beträgt der Gesamtbetrag {total}. Prüfen Sie ihn und zahlen Sie dann.',
  'notice.code_used_by_you':
    'Sie haben den Code {code} schon so oft eingelöst, wie es möglich ist. Ohne ihn beträgt der Gesamtbetrag {total}. Prüfen Sie ihn und zahlen Sie dann.',
};
