import { confirmedBy, type MailNote } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type DomainEvent, recordConfirmationEvent } from '../../events/catalogue.ts';
import type { MailEnd, MailStore } from '../../store/documents/mail-store.ts';

export interface ConfirmedEventDeps {
  mails: Pick<MailStore, 'notes'>;
  /** Whether an event must be written for a confirmation that the mail service has accepted. */
  wantsConfirmations: () => Promise<boolean>;
  newId: (prefix: 'evt') => string;
  now: () => Date;
}

/**
 * The event of the first mail that confirms the contract to the order's present address; undefined if this mail does not, an
 * earlier one did, or nobody wants the event. The caller has the claim of the mail, so no other mail ends meanwhile.
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
