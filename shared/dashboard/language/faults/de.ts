import type { FaultsKey } from './en.ts';

export const faultsDe: Readonly<Record<FaultsKey, string>> = {
  required: 'Füllen Sie dieses Feld aus.',
  tooLong: 'Geben Sie höchstens {most} Zeichen ein.',
  length: 'Geben Sie {least} bis {most} Zeichen ein.',
  characters: 'Dieses Feld enthält Zeichen, die nicht erlaubt sind.',
  cardNumber: 'Geben Sie keine Kartennummern ein.',
  email: 'Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
  address: 'Geben Sie eine https-Adresse ein.',
  day: 'Geben Sie einen Tag ein.',
  order: 'Das Ende muss nach dem Anfang liegen.',
  keyEnd: 'Ihr eigener Schlüssel endet vor diesem Tag. Ohne Tag endet der neue mit ihm.',
  region: 'Prüfen Sie den Bundesstaat oder die Provinz: Manche Länder brauchen die Angabe, andere haben keine.',
  scheme: 'Der One-Stop-Shop braucht einen Mitgliedstaat der Europäischen Union.',
  businesses: 'Wie Unternehmen dort besteuert werden, ist bekannt. Lassen Sie es wie in der Tabelle.',
  taxId: 'Diese Steuernummer ist in diesem Land nicht gültig.',
  rate: 'Geben Sie einen Satz in Prozent ein, und keinen, wo keine Steuer anfällt.',
  image: 'Dieses Bild kann nicht verwendet werden. Wählen Sie ein PNG, JPEG oder WebP mit höchstens 3 MB.',
  exists: 'So etwas gibt es schon, oder etwas anderes hat es zuvor geändert. Sehen Sie sich die Seite noch einmal an.',
  many: 'Es gibt schon so viele wie erlaubt. Entfernen Sie zuerst einen Eintrag.',
  gone: 'Dies kann nicht mehr geändert werden.',
  other: 'Diese Angabe ist nicht gültig. Prüfen Sie sie und versuchen Sie es noch einmal.',
};
