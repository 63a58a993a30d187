import { StaleVersion } from '../../domain/idempotency.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import { awaitsStack, caseDueAt, decisionOf, type Withdrawal } from '../../domain/withdrawal/withdrawal-case.ts';
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
  await withdrawals.save({ current: sent, dueAt: caseDueAt(sent) }).catch((error: unknown) => {
    if (!(error instanceof StaleVersion)) throw error; // a newer decision has a mail of its own
  });
}

export interface SettleWithdrawalDeps extends Omit<AcknowledgeDeps, 'payments' | 'withdrawals'>, ReplyDeps {
  withdrawals: AcknowledgeDeps['withdrawals'];
  payments: AcknowledgeDeps['payments'] & ReplyDeps['payments'];
  /** Decides about a clear case without a person. */
  decideByItself: (withdrawal: Withdrawal) => Promise<void>;
}

/** Does what is due for a withdrawal: mails its acknowledgement, decides a clear case, and mails the decision. */
export const settleWithdrawal =
  (deps: SettleWithdrawalDeps) =>
  async (id: string): Promise<void> => {
    const withdrawal = await deps.withdrawals.find(id);
    if (!withdrawal) return;
    const current = await acknowledgeWithdrawal(deps, withdrawal);
    if (awaitsStack(current)) return deps.decideByItself(withdrawal);
    return replyToWithdrawal(deps, { ...withdrawal, current });
  };
