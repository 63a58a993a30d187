import { StaleVersion } from '../../domain/idempotency.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import { decisionOf, type Withdrawal } from '../../domain/withdrawal/withdrawal-case.ts';
import { mailDueAt } from '../../store/withdrawal/withdrawal-store.ts';
import { type AcknowledgeDeps, acknowledgeWithdrawal } from './acknowledge-withdrawal.ts';

export interface ReplyDeps {
  withdrawals: AcknowledgeDeps['withdrawals'];
  payments: { getRefund: (id: string) => Promise<Refund> };
  mailer: Mailer | undefined;
  composeReply: (withdrawal: Withdrawal, refunded: Refund | null) => Mail;
  now: () => Date;
}

/** Mails the latest decision to the buyer. A process that dies between sending and marking sends it again. */
export async function replyToWithdrawal(deps: ReplyDeps, { declaration, current }: Withdrawal): Promise<void> {
  const { mailer, payments, withdrawals, now } = deps;
  if (current.reply?.status !== 'due') return;
  const refundId = decisionOf(current)?.refundId ?? null;
  const refunded = refundId === null ? null : await payments.getRefund(refundId);
  const mail = deps.composeReply({ declaration, current }, refunded);
  const status = mailer ? await mailer.send({ ...mail, to: declaration.email }) : ('none' as const);
  const sent = { ...current, reply: { status, at: status === 'none' ? null : now().toISOString() } };
  await withdrawals.save({ current: sent, dueAt: mailDueAt(sent) }).catch((error: unknown) => {
    if (!(error instanceof StaleVersion)) throw error; // a newer decision has a mail of its own
  });
}

/** Does what is due for a withdrawal: mails its acknowledgement, then the latest decision. */
export const settleWithdrawal =
  (
    deps: Omit<AcknowledgeDeps, 'payments'> &
      ReplyDeps & { payments: AcknowledgeDeps['payments'] & ReplyDeps['payments'] },
  ) =>
  async (id: string): Promise<void> => {
    const withdrawal = await deps.withdrawals.find(id);
    if (!withdrawal) return;
    const current = await acknowledgeWithdrawal(deps, withdrawal);
    await replyToWithdrawal(deps, { ...withdrawal, current });
  };
