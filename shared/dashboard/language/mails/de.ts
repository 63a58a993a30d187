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
  subject: 'Betreff',
  sender: 'Absender',
  answers: 'Antworten gehen an',
  text: 'Als reiner Text',
};
