import { confirmedBy, type MailNote } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type DomainEvent, recordConfirmationEvent } from '../../events/catalogue.ts';
import type { MailEnd, MailStore } from '../../store/documents/mail-store.ts';

export interface ConfirmedEventDeps {
  mails: Pick<MailStore, 'notes'>;
  /** Whether a confirmation that the mail service has accepted must produce an event. */
  wantsConfirmations: () => Promise<boolean>;
  newId: (prefix: 'evt') => string;
  now: () => Date;
}

/**
 * Makes the event of the first mail that confirms the contract to the order's present address. Undefined if this mail
 * confirms nothing, if an earlier mail did, or if no event is wanted. The caller has claimed the mail, so no other mail
 * ends at the same time.
 */
export async function confirmedEvent(
  { mails, wantsConfirmations, newId, now }: ConfirmedEventDeps,
  payment: Payment,
  { outcome, ...end }: MailEnd,
): Promise<DomainEvent | undefined> {
  if (outcome !== 'sent' || end.confirms === undefined || !(await wantsConfirmations())) return undefined;
  const notes = await mails.notes(payment.id);
  const sent: MailNote = { ...end, what: outcome };
  const confirmed = confirmedBy(notes, payment) ? undefined : confirmedBy([...notes, sent], payment);
  const { id, documentSecret } = payment;
  return (
    confirmed &&
    recordConfirmationEvent({ id, documentSecret, confirmed }, { id: newId('evt'), now: now().toISOString() })
  );
}
