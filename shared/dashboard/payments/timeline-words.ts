/** The texts of what happened to a payment, in one place. */
export const timelineWords = {
  title: 'What happened',
  missing: (count: number) =>
    `${count} ${count === 1 ? 'event is' : 'events are'} not shown here; the API lists all of them.`,
  session: 'Checkout opened',
  sessionAttempts: (count: number) => `${count} ${count === 1 ? 'attempt' : 'attempts'} to pay`,
  attempt: 'Another attempt',
  payment: (amount: string) => `Payment of ${amount} begun`,
  refund: (amount: string) => `Refund of ${amount} asked for`,
  dispute: (amount: string) => `Dispute over ${amount}`,
  document: (number: string) => `Document ${number} issued`,
  sent: (number: string) => `${number} sent by mail`,
  refused: (number: string) => `${number} refused by the mail server`,
  noEndpoint: 'There is no webhook endpoint.',
  inAMoment: 'The webhooks are sent in a moment.',
  notNotified: 'No webhook endpoint was notified.',
  notAttempted: 'not yet attempted',
  removedEndpoint: 'a removed endpoint',
  sendAgain: 'Send again',
} as const;
