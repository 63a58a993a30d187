import { DomainError } from '../../domain/errors.ts';
import { adoptedRefundIdOf } from '../../domain/ids.ts';
import { isStarting } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { notifiedCounter, ProcessorError, probeCounter } from '../../domain/processor.ts';
import { describeError, logWarn } from '../../log.ts';
import type { AccountRecords, Hint } from '../../outside/processor/payment-processor.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { DueStore } from '../../store/events/due-store.ts';
import { adoptRefund } from './adopt-refund.ts';
import { noteFraudWarning } from './note-fraud-warning.ts';
import { revertRefund } from './revert-refund.ts';
import { type NoteFeeDeps, noteFee } from './review-payment.ts';
import { type SettleDisputeDeps, settleDispute } from './settle-dispute.ts';
import { type SettleLatePaymentDeps, settleLatePayment } from './settle-late-payment.ts';
import { continuePayment } from './settle-payment.ts';
import { type SettleRefundDeps, settleRefund } from './settle-refund.ts';

interface FollowHintDeps extends Omit<SettleDisputeDeps, 'newId'>, SettleLatePaymentDeps {
  payments: SettleDisputeDeps['payments'] & SettleLatePaymentDeps['payments'] & NoteFeeDeps['payments'];
  processor: SettleDisputeDeps['processor'] & SettleRefundDeps['processor'];
  records: Pick<AccountRecords, 'refundWith' | 'warningWith'> | undefined;
  due: Pick<DueStore, 'hasten'>;
  throttles: Pick<ThrottleStore, 'count'>;
  /** Reads a payout of the account, as much of it as there is time for. */
  followPayout: (id: string) => Promise<void>;
  merchantId: string;
}

/**
 * Asks the processor at once about the object that a notification names, in the same way as the sweep. Ignores objects
 * that are not ours. If the processor does not answer, the row becomes due at once, so no second notification is
 * needed.
 */
export async function followHint(deps: FollowHintDeps, hint: Hint): Promise<void> {
  if (hint.kind === 'charge') return followCharge(deps, hint);
  if (hint.kind === 'refund') return followRefund(deps, hint);
  if (hint.kind === 'dispute') return followDispute(deps, hint);
  if (hint.kind === 'probe') return followProbe(deps, hint);
  if (hint.kind === 'payout') return orToldAgain(() => deps.followPayout(hint.reference));
  if (hint.kind === 'warning') return orToldAgain(() => noteFraudWarning(deps, hint.reference));
  return followFee(deps, hint);
}

type HintOf<Kind extends Hint['kind']> = Extract<Hint, { kind: Kind }>;

async function followCharge(deps: FollowHintDeps, hint: HintOf<'charge'>): Promise<void> {
  if (hint.merchantId !== deps.merchantId) return;
  const payment = await deps.payments.find(hint.paymentId);
  if (!payment || !isNamedBy(payment, hint)) return;
  if (hasEnded(payment)) return orToldAgain(() => settleLatePayment(deps, payment.id, hint.reference));
  if (payment.status !== 'processing') return;
  await orDueNow(deps, { kind: 'payment', id: payment.id }, () => settleNow(deps, payment));
}

/**
 * Whether a notification may be about a payment. If the payment has no reference yet, the notification only needs to
 * name the payment. The processor's answer then decides.
 */
const isNamedBy = ({ reference }: Payment, hint: HintOf<'charge'>): boolean =>
  reference === null || reference === hint.reference;

/** Whether a payment has ended without money, according to our rows. */
const hasEnded = ({ status }: Payment): boolean => status === 'failed' || status === 'cancelled';

/**
 * Asks about a payment now. If the payment has no reference yet, it gets one first, because a repeated request to
 * charge only answers how the charge began.
 */
async function settleNow(deps: FollowHintDeps, payment: Payment): Promise<void> {
  const settled = await continuePayment(deps, { payment, session: null });
  if (!isStarting(payment) || settled.status !== 'processing') return;
  await continuePayment(deps, { payment: await deps.payments.get(payment.id), session: null });
}

/**
 * Counts the notification of an operator's test request in a row that expires automatically. The operator's command
 * looks for that row.
 */
async function followProbe(deps: FollowHintDeps, { probeId, merchantId }: HintOf<'probe'>): Promise<void> {
  if (merchantId === deps.merchantId) await deps.throttles.count(probeCounter(probeId), deps.now());
}

async function followRefund(deps: FollowHintDeps, { refundId: named, reference }: HintOf<'refund'>): Promise<void> {
  const refundId = named ?? (await orToldAgain(() => adoptNamed(deps, reference)));
  if (refundId === undefined) return;
  const refund = await deps.payments.getRefund(refundId).catch(undefinedIfAbsent);
  if (refund?.status === 'succeeded') return orToldAgain(() => revertRefund(deps, refund.id));
  if (refund?.status !== 'pending') return;
  await orDueNow(deps, { kind: 'refund', id: refund.id }, async () => {
    await settleRefund(deps, refund.id);
  });
}

/** Books a refund that was made in the processor's own dashboard, and returns its id here. */
async function adoptNamed(deps: FollowHintDeps, reference: string): Promise<string | undefined> {
  const found = await deps.records?.refundWith(reference);
  const payment = found && (await deps.payments.find(found.paymentId));
  if (!payment) return undefined;
  await adoptRefund(deps, found);
  return found.refundId ?? adoptedRefundIdOf(payment.processor, reference);
}

async function followFee(deps: FollowHintDeps, { merchantId, paymentId }: HintOf<'fee'>): Promise<void> {
  if (merchantId !== deps.merchantId) return;
  const payment = await deps.payments.find(paymentId);
  if (payment?.status === 'succeeded' && !payment.fee) await orToldAgain(() => noteFee(deps, paymentId));
}

const followDispute = (deps: FollowHintDeps, { reference }: HintOf<'dispute'>): Promise<void> =>
  orToldAgain(async () => {
    await settleDispute(deps, reference);
  });

/**
 * Asks about an object that has no row here. If the processor does not answer, the caller gets an error, so the
 * processor sends the notification again.
 */
async function orToldAgain<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error;
    throw new DomainError('SERVICE_UNAVAILABLE', 'The processor cannot be asked about this now.', {
      cause: error,
    });
  }
}

function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
}

/**
 * Asks about a row. If that fails, the row becomes due now, and a payment is counted as notified. If the object
 * contradicts the row, the notification is not about it, and nothing changes.
 */
async function orDueNow(
  { due, throttles, now }: FollowHintDeps,
  row: { kind: 'payment' | 'refund'; id: string },
  ask: () => Promise<void>,
): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error;
    logWarn('a notification is followed by the sweep', { [`${row.kind}_id`]: row.id, ...describeError(error) });
    if (error.kind === 'contradiction') return;
    if (row.kind === 'payment') await throttles.count(notifiedCounter(row.id), now());
    await due.hasten(row.kind, row.id, now().toISOString());
  }
}
