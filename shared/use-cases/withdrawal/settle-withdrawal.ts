import { StaleVersion } from '../../domain/idempotency.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import {
  type Acknowledgement,
  awaitsStack,
  caseDueAt,
  decisionOf,
  replyAddressOf,
  type Withdrawal,
} from '../../domain/withdrawal/withdrawal-case.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { type AcknowledgeDeps, inChosenLanguage, tellOfWithdrawal } from './acknowledge-withdrawal.ts';

export interface ReplyDeps {
  withdrawals: AcknowledgeDeps['withdrawals'];
  payments: Pick<PaymentStore, 'find' | 'getRefund'>;
  mailer: Mailer | undefined;
  composeReply: (withdrawal: Withdrawal, refunded: Refund | null) => Mail;
  /** The language of mails that the buyer of an order has chosen in the portal; undefined if none was chosen. */
  chosenLanguage: (order: Payment) => Promise<string | undefined>;
  /** The address to which an order belongs now; empty if its buyer is erased. */
  currentAddress: (order: Payment) => Promise<string>;
  now: () => Date;
}

/**
 * Mails the latest decision to the address of the order. If the refund has failed, no mail is sent, because the case is
 * open again. If a process crashes after sending, the mail is sent again.
 */
export async function replyToWithdrawal(deps: ReplyDeps, withdrawal: Withdrawal): Promise<void> {
  const { withdrawals, now } = deps;
  const { current } = withdrawal;
  if (current.reply?.status !== 'due') return;
  const status = await sendReply(deps, withdrawal);
  const sent = { ...current, reply: { status, at: status === 'none' ? null : now().toISOString() } };
  await withdrawals.save({ current: sent, dueAt: caseDueAt(sent) }).catch((error: unknown) => {
    if (!(error instanceof StaleVersion)) throw error; // A newer decision was saved. It gets its own mail.
  });
}

async function sendReply(
  { mailer, payments, composeReply, chosenLanguage, currentAddress }: ReplyDeps,
  withdrawal: Withdrawal,
): Promise<Acknowledgement['status']> {
  const { current } = withdrawal;
  const refundId = decisionOf(current)?.refundId ?? null;
  const refunded = refundId === null ? null : await payments.getRefund(refundId);
  const order = current.paymentId === null ? undefined : await payments.find(current.paymentId);
  const to = replyAddressOf(withdrawal, order ? await currentAddress(order) : '');
  if (!mailer || to === '' || refunded?.status === 'failed') return 'none';
  const language = order && (await chosenLanguage(order));
  return mailer.send({ ...composeReply(inChosenLanguage(withdrawal, language), refunded), to });
}

export interface SettleWithdrawalDeps extends Omit<AcknowledgeDeps, 'payments' | 'withdrawals'>, ReplyDeps {
  withdrawals: AcknowledgeDeps['withdrawals'];
  payments: AcknowledgeDeps['payments'] & ReplyDeps['payments'];
  /** Lets the stack decide about a clear case. */
  decideByItself: (withdrawal: Withdrawal) => Promise<void>;
}

/**
 * Does the due work of a withdrawal: mails its acknowledgement, asks the address of the order, decides a clear case,
 * and mails the decision.
 */
export const settleWithdrawal =
  (deps: SettleWithdrawalDeps) =>
  async (id: string): Promise<void> => {
    const withdrawal = await deps.withdrawals.find(id);
    if (!withdrawal) return;
    const current = await tellOfWithdrawal(deps, withdrawal);
    if (awaitsStack(current)) return deps.decideByItself(withdrawal);
    return replyToWithdrawal(deps, { ...withdrawal, current });
  };
