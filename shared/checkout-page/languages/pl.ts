import type { CheckoutStrings } from './en.ts';

export const checkoutPl: CheckoutStrings = {
  'code.add': 'Dodaj kod rabatowy',
  'code.label': 'Kod rabatowy',
  'code.apply': 'Zastosuj',
  'code.remove': 'Usuń {code}',
  'code.applied': 'Kod {code} jest zastosowany.',
  'code.removed': 'Kod {code} jest usunięty.',
  'code.held': 'Kody nie obniżają tej kwoty poniżej minimum {minimum}.',
  'offer.code': 'Z kodem rabatowym {code}, jeśli obowiązuje dla tego zamówienia.',
  'currency.label': 'Waluta',
  'currency.changed': 'Ceny są teraz w {currency}.',
  'amount.stays': 'Z kwoty {gross} po odliczeniu podatku {merchant} otrzymuje {net}.',
  'quantity.label': 'Ilość',
  'quantity.less': 'O jeden mniej',
  'quantity.more': 'O jeden więcej',
  'fault.quantity': 'Podaj liczbę całkowitą od {minimum} do {maximum}.',
  'receipt.delivery': 'Jak odebrać zakup',
  'receipt.open': 'Otwórz swój zakup',
  'fault.code.invalid': 'Ten kod jest nieprawidłowy. Sprawdź jego pisownię.',
  'fault.code.expired': 'Ten kod wygasł.',
  'fault.code.not_yet': 'Ten kod jeszcze nie obowiązuje.',
  'fault.code.used_up': 'Ten kod został wykorzystany.',
  'fault.code.products': 'Ten kod nie dotyczy tych produktów.',
  'fault.code.currency': 'Ten kod nie obowiązuje w {currency}.',
  'fault.code.minimum': 'Kod wymaga zamówienia na co najmniej {minimum}.',
  'fault.code.tries': 'Wpisano zbyt wiele błędnych kodów. Nadal możesz zapłacić bez kodu.',
  'fault.code.too_many': 'Do tego zamówienia nie można dodać więcej kodów.',
  'notice.code_not_yours':
    'Kod {code} nie dotyczy tego adresu e-mail. Bez niego kwota do zapłaty wynosi {total}. Sprawdź ją i zapłać.',
  'notice.code_used_by_you':
    'Kod {code} został już przez Ciebie użyty tyle razy, ile można. Bez niego kwota do zapłaty wynosi {total}. Sprawdź ją i zapłać.',
};
