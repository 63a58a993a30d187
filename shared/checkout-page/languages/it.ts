import type { CheckoutStrings } from './en.ts';

export const checkoutIt: CheckoutStrings = {
  'code.add': 'Aggiungi un codice sconto',
  'code.label': 'Codice sconto',
  'code.apply': 'Applica',
  'code.remove': 'Rimuovi {code}',
  'code.applied': 'Il codice {code} è applicato.',
  'code.removed': 'Il codice {code} è stato rimosso.',
  'code.held': 'I codici non abbassano questo importo sotto il minimo di {minimum}.',
  'offer.code': 'Con il codice sconto {code}, se vale per questo ordine.',
  'currency.label': 'Valuta',
  'currency.changed': 'I prezzi ora sono in {currency}.',
  'amount.stays': 'Di {gross}, a {merchant} restano {net} al netto delle imposte.',
  'quantity.label': 'Quantità',
  'quantity.less': 'Uno in meno',
  'quantity.more': 'Uno in più',
  'fault.quantity': 'Inserisci un numero intero da {minimum} a {maximum}.',
  'receipt.delivery': 'Come ottenere il tuo acquisto',
  'receipt.open': 'Apri il tuo acquisto',
  'fault.code.invalid': 'Questo codice non è valido. Controlla come si scrive.',
  'fault.code.expired': 'Questo codice è scaduto.',
  'fault.code.not_yet': 'Questo codice non è ancora valido.',
  'fault.code.used_up': 'Questo codice è esaurito.',
  'fault.code.products': 'Questo codice non vale per questi prodotti.',
  'fault.code.currency': 'Questo codice non è valido in {currency}.',
  'fault.code.minimum': 'Il codice richiede un ordine di almeno {minimum}.',
  'fault.code.tries': 'Sono stati inseriti troppi codici errati. Puoi comunque pagare senza.',
  'fault.code.too_many': 'Non si possono aggiungere altri codici a questo ordine.',
  'notice.code_not_yours':
    'Il codice {code} non vale per questo indirizzo e-mail. Senza, il totale è {total}. Controllalo, poi paga.',
  'notice.code_used_by_you':
    'Hai già usato il codice {code} quante volte è possibile. Senza, il totale è {total}. Controllalo, poi paga.',
};
