import type { OfferKey } from './en.ts';

export const offerDe: Readonly<Record<OfferKey, string>> = {
  quantity: 'Menge, die Käufer wählen dürfen',
  'quantity.least': 'Mindestens',
  'quantity.most': 'Höchstens',
  'quantity.hint': 'Für den Link dieses Produkts. Leer: Käufer können die Menge nicht ändern.',
  'quantity.fault': 'Geben Sie ganze Zahlen von 1 bis 1.000 ein, die kleinere zuerst.',
  purpose: 'Was das Geld bewirkt (optional)',
  'purpose.hint': 'Ein Satz von höchstens 200 Zeichen, der unter dem Betrag steht.',
  'purpose.fault': 'Geben Sie höchstens 200 Zeichen in einer Zeile ein, ohne Kartennummern.',
  net: 'Zeigen, was Ihnen nach Abzug der Steuer bleibt',
  'net.hint':
    '„Von 10,00 € bleiben Ihnen nach Abzug der Steuer 8,40 €.“ Die Kassenseite berechnet es für jeden Käufer.',
  delivery: 'Nach der Zahlung',
  'delivery.hint': 'Nur der Käufer sieht es, auf der Seite nach der Zahlung. Bereits Gekauftes behält seine Angaben.',
  'delivery.url': 'Adresse zum Öffnen (optional)',
  'delivery.url.fault': 'Geben Sie eine Adresse ein, die mit https:// beginnt.',
  'delivery.instructions': 'So erhält man es (optional)',
  'delivery.instructions.fault': 'Geben Sie höchstens 1.000 Zeichen ein, ohne Kartennummern.',
};
