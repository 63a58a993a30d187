import type { CheckoutSession } from '../checkout/checkout-session.ts';
import type { MailNote } from '../orders/mail-notes.ts';
import type { Payment } from '../payments/payment.ts';
import type { Refund } from '../payments/refund.ts';

/** An issued document, and everything that is known about its mails. */
export interface IssuedDocument {
  /** The id of the payment, the refund or the adjustment, or of the refund's corrected invoice or cancellation. */
  subjectId: string;
  number: string;
  issuedAt: string;
  mails: readonly MailNote[];
}

interface Facts {
  payment: Payment;
  /** The session; undefined if it was removed. */
  session: CheckoutSession | undefined;
  /** The other charges of the session. */
  attempts: readonly Payment[];
  refunds: readonly Refund[];
  documents: readonly IssuedDocument[];
}

/** Something that happened to a payment, for which there is no event. */
export type Moment =
  | { kind: 'session'; at: string; session: CheckoutSession }
  | { kind: 'attempt'; at: string; payment: Payment }
  | { kind: 'payment'; at: string; payment: Payment }
  | { kind: 'refund'; at: string; refund: Refund }
  | { kind: 'dispute'; at: string; dispute: Payment['disputes'][number] }
  | { kind: 'document'; at: string; document: IssuedDocument }
  | { kind: 'mail'; at: string; document: IssuedDocument; note: MailNote };

const order = ['session', 'attempt', 'payment', 'refund', 'dispute', 'event', 'document', 'mail'] as const;

/** Everything that happened, including the events, in order of time. If times are equal, the logical order decides. */
export function timelineOf<Event>(
  facts: Facts,
  events: readonly { at: string; event: Event }[],
): (Moment | { kind: 'event'; at: string; event: Event })[] {
  const occurred = events.map(({ at, event }) => ({ kind: 'event' as const, at, event }));
  const rankOf = ({ kind }: { kind: (typeof order)[number] }) => order.indexOf(kind);
  return [...momentsOf(facts), ...occurred].sort((a, b) => a.at.localeCompare(b.at) || rankOf(a) - rankOf(b));
}

const momentsOf = ({ payment, session, attempts, refunds, documents }: Facts): Moment[] => [
  ...(session ? [{ kind: 'session' as const, at: session.createdAt, session }] : []),
  ...attempts.map((attempt) => ({ kind: 'attempt' as const, at: attempt.createdAt, payment: attempt })),
  { kind: 'payment', at: payment.createdAt, payment },
  ...refunds.map((refund) => ({ kind: 'refund' as const, at: refund.createdAt, refund })),
  ...payment.disputes.map((dispute) => ({ kind: 'dispute' as const, at: dispute.createdAt, dispute })),
  ...documents.flatMap(documentMoments),
];

const documentMoments = (document: IssuedDocument): Moment[] => [
  { kind: 'document', at: document.issuedAt, document },
  ...document.mails.map((note) => ({ kind: 'mail' as const, at: note.at, document, note })),
];
