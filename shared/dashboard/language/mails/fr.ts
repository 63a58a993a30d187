import type { MailsKey } from './en.ts';

export const mailsFr: Readonly<Record<MailsKey, string>> = {
  title: 'E-mails',
  lead: 'Ce que reçoivent les acheteurs et les membres, avec une vente inventée. Les acheteurs reçoivent leurs e-mails dans leur langue, les membres dans une de celles du tableau de bord.',
  unmailed:
    'Ce stack n’envoie pas encore d’e-mails. Indiquez une adresse d’expéditeur sous « receipts » dans le fichier du marchand, et déployez à nouveau.',
  language: 'Langue de l’e-mail',
  brand: 'Marque',
  show: 'Afficher',
  'invoice.title': 'Facture',
  'invoice.when': 'À l’acheteur, après un paiement.',
  'corrected.title': 'Facture rectificative',
  'corrected.when': 'À l’acheteur, quand un numéro fiscal a été ajouté après la vente.',
  'credit_note.title': 'Avoir',
  'credit_note.when': 'À l’acheteur, après un remboursement.',
  'cancellation.title': 'Avoir annulé',
  'cancellation.when': 'À l’acheteur, quand la banque a renvoyé un remboursement.',
  'link.title': 'Lien de connexion',
  'link.when': 'Au membre qui l’a demandé.',
  'invite.title': 'Invitation d’un membre',
  'invite.when': 'À la personne invitée comme membre.',
  send: 'M’envoyer cet e-mail',
  'send.key':
    'Les membres peuvent s’envoyer chacun de ces e-mails. Une clé n’a pas d’adresse : connectez-vous par e-mail pour cela.',
  'said.sent': 'L’exemple vous a été envoyé.',
  'said.often': 'Vous avez déjà reçu beaucoup d’exemples durant cette heure. Réessayez dans une heure.',
  'said.failed': 'L’exemple n’a pas pu être envoyé. Réessayez plus tard.',
  'example.subject': 'Exemple : {subject}',
  subject: 'Objet',
  sender: 'Expéditeur',
  answers: 'Les réponses vont à',
  text: 'En texte brut',
};
