import type { SignInKey } from './en.ts';

export const signInDe: Readonly<Record<SignInKey, string>> = {
  title: 'Anmelden',
  oneClick: 'In dieser Sandbox anmelden',
  'oneClick.hint': 'Auf Ihrem eigenen Rechner genügt ein Klick. Auf einem Server gibt es diese Schaltfläche nicht.',
  email: 'E-Mail-Adresse',
  'email.hint': 'Für Mitglieder. Der Link gilt einmal, 15 Minuten lang und in diesem Browser.',
  'email.button': 'Link zusenden',
  'email.or': 'Mit einem API-Schlüssel anmelden',
  key: 'API-Schlüssel',
  'key.sandbox': 'Ein Schlüssel dieser Sandbox beginnt mit sk_test_.',
  'key.live': 'Ein Schlüssel dieses Stacks beginnt mit sk_live_.',
  'key.rights':
    'Der Schlüssel bestimmt, was Sie hier tun können. Schlüssel, Geheimnisse und Adressen von Webhooks sowie Steuerregeln brauchen einen Schlüssel mit Admin-Zugriff.',
  'key.none': 'Noch kein Schlüssel? Der Betreiber dieses Stacks legt den ersten mit {command} an.',
  'key.former': 'Ein Schreibschlüssel der Version 0.1 kann Schlüssel, Webhooks und Steuern nicht mehr verwalten.',
  'key.missing': 'Geben Sie einen API-Schlüssel ein.',
  'key.refused': 'Dieser Schlüssel ist unbekannt, widerrufen oder abgelaufen, oder er gehört zu einem anderen Stack.',
  'sent.title': 'Sehen Sie in Ihr Postfach',
  'sent.text':
    'Gehört diese Adresse zu einem Mitglied, ist ein Link unterwegs. Er gilt einmal, 15 Minuten lang und nur in diesem Browser.',
  'sent.again':
    'Nichts angekommen? Prüfen Sie die Schreibweise und den Spam-Ordner und fordern Sie dann einen neuen an. An eine Adresse gehen fünf Links je Stunde, und fünf weitere an einen Browser, in dem das Mitglied schon angemeldet war.',
  back: 'Zurück',
  'confirm.title': 'Anmelden',
  'confirm.text': 'Mit der Schaltfläche melden Sie sich im Dashboard an. Erst dann ist der Link verbraucht.',
  'over.title': 'Dieser Link gilt nicht mehr',
  'over.text':
    'Ein Link gilt einmal und 15 Minuten lang. Wenn Sie sich gerade damit angemeldet haben, gehen Sie weiter.',
  'over.link': 'Weiter',
  'elsewhere.title': 'Ein anderer Browser hat diesen Link angefordert',
  'elsewhere.text':
    'Öffnen Sie ihn in dem Browser, in dem Sie ihn angefordert haben, oder fordern Sie hier einen neuen an. Wenn Sie keinen angefordert haben, müssen Sie nichts tun.',
  'elsewhere.link': 'Hier einen Link anfordern',
  'throttled.title': 'Zu viele Links',
  'throttled.text':
    'Von hier wurden zu viele Links angefordert. Versuchen Sie es in einer Stunde wieder, oder melden Sie sich mit einem Schlüssel an.',
  home: 'Zur Übersicht',
  'refused.title': 'Nicht erlaubt',
  'refused.text':
    'Ihr Schlüssel oder Ihre Rolle erlaubt das nicht, oder das Formular gehört zu einer anderen Sitzung. Schlüssel, Geheimnisse und Adressen von Webhooks sowie Steuerregeln brauchen einen Schlüssel mit Admin-Zugriff; {command} legt den ersten an.',
  'missing.title': 'Seite nicht gefunden',
  'missing.text': 'Prüfen Sie die Adresse, oder gehen Sie zur Übersicht.',
  'large.title': 'Zu groß',
  'large.text': 'Ein Bild darf höchstens 3 MB haben. Gehen Sie zurück und wählen Sie ein kleineres.',
  'failed.title': 'Das hat nicht geklappt',
  'failed.text':
    'Es wurde nichts geändert. Gehen Sie zurück, prüfen Sie das Formular und versuchen Sie es noch einmal.',
  'defect.title': 'Etwas ist schiefgegangen',
  'defect.text': 'Versuchen Sie es noch einmal, oder melden Sie die Anfragenummer {id}.',
  'ended.title': 'Sie sind abgemeldet',
  'ended.text': 'Ihre Sitzung ist beendet, oder ihr Schlüssel wurde widerrufen. Es wurde nichts geändert.',
};
