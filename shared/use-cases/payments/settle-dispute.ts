import { disputeIdOf } from '../../domain/ids.ts';
import { type Dispute, type DisputeState, decideDispute } from '../../domain/payments/dispute.ts';
import { isDecided } from '../../domain/payments/dispute-standing.ts';
import type { AlertMoney } from '../../domain/payments/money-alert.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type DomainEvent, recordAdjustmentEvent, recordDisputeEvent } from '../../events/catalogue.ts';
import type { Disputes } from '../../outside/processor/payment-processor.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';
import { type SettlePaymentDeps, settlePayment, type Unfinished } from './settle-payment.ts';

export interface SettleDisputeDeps extends Omit<SettlePaymentDeps, 'payments' | 'processor'> {
  payments: SettlePaymentDeps['payments'] & Pick<PaymentStore, 'find'>;
  disputes: Pick<DisputeStore, 'find' | 'get' | 'save'>;
  processor: SettlePaymentDeps['processor'] & Pick<Disputes, 'findDispute'>;
  alert: AlertMoney;
}

/**
 * Since when a dispute is open, and by when the bank needs an answer. Null if the bank has decided, or if the dispute
 * is not about a payment of this stack.
 */
type Settled = Pick<Unfinished, 'openSince' | 'askBy'> | null;

/** Asks the processor about a dispute that it has reported, and commits its answer only once. */
export async function settleDispute(deps: SettleDisputeDeps, reference: string): Promise<Settled> {
  const heard = await deps.processor.findDispute(reference);
  return heard ? ((await settle(deps, heard)) ?? null) : null;
}

/**
 * Asks about a dispute that is already stored, by its id here. Throws if the processor no longer knows the dispute,
 * because its state must not be guessed.
 */
export async function settleKnownDispute(deps: SettleDisputeDeps, id: string): Promise<Settled> {
  const known = await deps.disputes.get(id);
  const settled = await settle(deps, known);
  if (settled === undefined) throw new Error(`The processor does not know ${known.reference}, its own dispute.`);
  return settled;
}

/**
 * Asks the processor after reading the rows, so that an old answer is never committed. Undefined if the processor has
 * no such dispute of this stack.
 */
function settle(deps: SettleDisputeDeps, { paymentId, reference }: Pick<Dispute, 'paymentId' | 'reference'>) {
  return retryStale(async (): Promise<Settled | undefined> => {
    const payment = await paidPayment(deps, paymentId);
    if (!payment) return undefined;
    const known = await deps.disputes.find(disputeIdOf(payment.processor, reference));
    const state = await deps.processor.findDispute(reference);
    if (!state) return undefined;
    const dispute = await commitAnswer(deps, { payment, known, state });
    return dispute && !isDecided(dispute) ? { openSince: dispute.createdAt, askBy: dispute.dueBy } : null;
  });
}

type PaidPaymentDeps = SettlePaymentDeps & { payments: Pick<PaymentStore, 'find'> };

/**
 * The payment, if it has succeeded. It asks the processor if needed, because a report about a dispute can arrive before
 * the one about the payment.
 */
export async function paidPayment(deps: PaidPaymentDeps, id: string): Promise<Payment | undefined> {
  const known = await deps.payments.find(id);
  if (!known || known.status === 'succeeded') return known;
  await settlePayment(deps, id);
  const payment = await deps.payments.get(id);
  if (payment.status === 'succeeded') return payment;
  throw new Error(`${id} is disputed or called a fraud, but it is ${payment.status}.`);
}

interface Answer {
  payment: Payment;
  known: Dispute | undefined;
  state: DisputeState;
}

async function commitAnswer(deps: SettleDisputeDeps, { payment, known, state }: Answer): Promise<Dispute | undefined> {
  const now = deps.now().toISOString();
  const decided = decideDispute(payment, known, state, now);
  if (state.status === null)
    deps.alert('dispute-unknown-status', { payment_id: payment.id, reference: state.reference });
  if (!decided) return known;
  const { dispute, after, isNews, isEscalated, adjustment } = decided;
  const events: DomainEvent[] = [];
  let told = after;
  const tell = (record: typeof recordDisputeEvent) => {
    const { payment: counted, event } = record(told, dispute, { id: deps.newId('evt'), now });
    events.push(event);
    told = counted;
  };
  if (isNews) tell(recordDisputeEvent);
  if (adjustment) tell(recordAdjustmentEvent);
  await deps.disputes.save({ payment: told, dispute, events, adjustments: adjustment && [adjustment] });
  if (isEscalated) deps.alert('dispute-escalated', { payment_id: payment.id, dispute_id: dispute.id });
  return dispute;
}
