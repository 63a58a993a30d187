import type { Grant } from '../../domain/entitlements/grant.ts';
import { confirmedBy } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { isWaived, opensAt } from '../../domain/withdrawal/opening.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';

export interface WaitingDeps {
  mails: Pick<MailStore, 'notes'>;
  /** Whether the stack sends mails. Without one, there is no confirmation to wait for. */
  isMailed: boolean;
  now: () => Date;
}

/**
 * The lines whose goods do not open yet: waived ones in the first minute, while the mail service has not accepted the
 * confirmation. Only then, the row of the mail is read. A line of a product of 0.2.0 gives its text without a grant.
 */
export async function waitingLines(
  { mails, isMailed, now }: WaitingDeps,
  payment: Payment,
  grants: readonly Pick<Grant, 'line' | 'createdAt'>[],
): Promise<ReadonlySet<number>> {
  const young = grants.filter((grant) => isWaived(payment, grant.line) && now().getTime() < opensAt(grant, payment));
  if (!isMailed || young.length === 0 || confirmedBy(await mails.notes(payment.id), payment)) return new Set();
  return new Set(young.map(({ line }) => line));
}
