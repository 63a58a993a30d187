/** The texts of the page that shows the mails. The other languages have the same keys and placeholders. */
export const mailsEn = {
  title: 'Mails',
  lead: 'What buyers and members receive, with an invented sale. Buyers get their mails in their own language, members in one of the dashboard’s.',
  unmailed:
    'This stack does not send mail yet. Set “receipts” in the merchant’s file to a sender’s address, and deploy again.',
  language: 'Mail language',
  brand: 'Brand',
  show: 'Show',
  'invoice.title': 'Invoice',
  'invoice.when': 'To the buyer, after a payment.',
  'corrected.title': 'Corrected invoice',
  'corrected.when': 'To the buyer, when a tax ID was added after the sale.',
  'credit_note.title': 'Credit note',
  'credit_note.when': 'To the buyer, after a refund.',
  'cancellation.title': 'Cancelled credit note',
  'cancellation.when': 'To the buyer, when the bank has sent a refund back.',
  'link.title': 'Sign-in link',
  'link.when': 'To a member who has asked for it.',
  'invite.title': 'Invitation',
  'invite.when': 'To a person who is invited as a member.',
  send: 'Send me this mail',
  'send.key': 'Members can send each of these mails to themselves. A key has no address: sign in by e-mail for it.',
  'said.sent': 'The example was sent to you.',
  'said.often': 'You have had many examples in this hour. Try again in an hour.',
  'said.failed': 'The example could not be sent. Try again later.',
  'example.subject': 'Example: {subject}',
  subject: 'Subject',
  sender: 'Sender',
  answers: 'Answers go to',
  text: 'As plain text',
} as const;

export type MailsKey = keyof typeof mailsEn;
