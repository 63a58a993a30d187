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
 * Reads the notes of earlier mails that the event of a confirmation depends on. Undefined if there will be no event. It
 * is called before the mail is sent, so nothing is read between the mail service's answer and the note about it.
 */
export async function notesForEvent(
  { mails, wantsConfirmations }: ConfirmedEventDeps,
  payment: Payment,
  { confirms }: Pick<MailEnd, 'confirms'>,
): Promise<readonly MailNote[] | undefined> {
  return confirms !== undefined && (await wantsConfirmations()) ? mails.notes(payment.id) : undefined;
}

/**
 * Makes the event of the first mail that confirms the contract to the order's present address. Undefined if this mail
 * was refused, or if an earlier mail confirmed. The caller has claimed the mail, so no other mail ends at the same time.
 */
export function confirmedEvent(
  { newId, now }: ConfirmedEventDeps,
  payment: Payment,
  { outcome, ...end }: MailEnd,
  notes: readonly MailNote[] | undefined,
): DomainEvent | undefined {
  if (outcome !== 'sent' || !notes || confirmedBy(notes, payment)) return undefined;
  const confirmed = confirmedBy([...notes, { ...end, what: outcome }], payment);
  const { id, documentSecret } = payment;
  return (
    confirmed &&
    recordConfirmationEvent({ id, documentSecret, confirmed }, { id: newId('evt'), now: now().toISOString() })
  );
}
