import type { Grant } from '../../domain/entitlements/grant.ts';
import { confirmedBy } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { isWaived, opensAt } from '../../domain/withdrawal/opening.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';

export interface WaitingDeps {
  mails: Pick<MailStore, 'notes'>;
  /** Whether the stack sends mails. If not, there is no confirmation to wait for. */
  isMailed: boolean;
  now: () => Date;
}

/**
 * The lines whose content cannot be opened yet. The buyer asked for immediate supply, the first minute is not over, and
 * the mail service has not accepted the confirmation. The notes of the mails are read only in this case. A line of a
 * product from 0.2.0 gives its text without a grant.
 */
export async function waitingLines(
  { mails, isMailed, now }: WaitingDeps,
  payment: Payment,
  grants: readonly Pick<Grant, 'line' | 'createdAt' | 'paidAt'>[],
): Promise<ReadonlySet<number>> {
  const young = grants.filter((grant) => isWaived(payment, grant.line) && now().getTime() < opensAt(grant, payment));
  if (!isMailed || young.length === 0 || confirmedBy(await mails.notes(payment.id), payment)) return new Set();
  return new Set(young.map(({ line }) => line));
}
