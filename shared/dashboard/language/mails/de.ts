import type { MailsKey } from './en.ts';

export const mailsDe: Readonly<Record<MailsKey, string>> = {
  title: 'E-Mails',
  lead: 'Was Käufer und Mitglieder erhalten, mit einem erfundenen Verkauf. Käufer erhalten ihre Mails in ihrer Sprache, Mitglieder in einer des Dashboards.',
  unmailed:
    'Dieser Stack verschickt noch keine Mails. Tragen Sie unter „receipts“ in der Datei des Händlers eine Absenderadresse ein, und deployen Sie neu.',
  language: 'Sprache der Mail',
  brand: 'Marke',
  show: 'Anzeigen',
  'invoice.title': 'Rechnung',
  'invoice.when': 'An den Käufer, nach einer Zahlung.',
  'corrected.title': 'Berichtigte Rechnung',
  'corrected.when': 'An den Käufer, wenn nach dem Verkauf eine Steuernummer ergänzt wurde.',
  'credit_note.title': 'Rechnungskorrektur',
  'credit_note.when': 'An den Käufer, nach einer Erstattung.',
  'cancellation.title': 'Stornierte Rechnungskorrektur',
  'cancellation.when': 'An den Käufer, wenn die Bank eine Erstattung zurückgeschickt hat.',
  'link.title': 'Anmeldelink',
  'link.when': 'An ein Mitglied, das ihn angefordert hat.',
  'invite.title': 'Einladung',
  'invite.when': 'An eine Person, die als Mitglied eingeladen wird.',
  send: 'Diese Mail an mich senden',
  'send.key':
    'Mitglieder können sich jede dieser Mails selbst schicken. Ein Schlüssel hat keine Adresse: Melden Sie sich dafür per E-Mail an.',
  'said.sent': 'Das Beispiel wurde an Sie gesendet.',
  'said.often': 'Sie haben in dieser Stunde schon viele Beispiele erhalten. Versuchen Sie es in einer Stunde wieder.',
  'said.failed': 'Das Beispiel konnte nicht gesendet werden. Versuchen Sie es später noch einmal.',
  'example.subject': 'Beispiel: {subject}',
  subject: 'Betreff',
  sender: 'Absender',
  answers: 'Antworten gehen an',
  text: 'Als reiner Text',
};
