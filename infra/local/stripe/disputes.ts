import type Stripe from 'stripe';
import { type Account, ApiFault, missing } from './account.ts';
import { disputeFee, move } from './balance/ledger.ts';
import { dispute } from './blank-objects.ts';

const daysToAnswer = 7;

/** Opens a dispute: the bank takes a payment back. An inquiry (`warning_…`) takes no money yet. */
export function openDispute(
  account: Account,
  intent: Stripe.PaymentIntent,
  { reason, status, amount }: { reason: string; status: 'needs_response' | 'warning_needs_response'; amount?: number },
): Stripe.Dispute {
  const charge = account.charges.get(String(intent.latest_charge));
  if (!charge) throw missing(String(intent.latest_charge));
  const isInquiry = status === 'warning_needs_response';
  const made = dispute({
    id: account.newId('du'),
    amount: amount ?? charge.amount - charge.amount_refunded,
    charge: charge.id,
    created: account.seconds(),
    currency: charge.currency,
    is_charge_refundable: isInquiry,
    livemode: account.isLive,
    payment_intent: intent.id,
    reason,
    status,
    dueBy: account.seconds() + daysToAnswer * 86_400,
  });
  account.disputes.set(made.id, made);
  charge.disputed = true;
  endWarnings(account, charge.id);
  account.occurred('charge.dispute.created', made);
  if (!isInquiry) withdraw(account, made);
  return made;
}

/** Turns an inquiry into a chargeback. The bank takes the money, and the merchant gets a new deadline. */
export function escalateDispute(account: Account, id: string): void {
  const made = disputeById(account, id);
  if (!made.status.startsWith('warning_') || made.status === 'warning_closed')
    throw new ApiFault(400, `The dispute ${id} is ${made.status}.`);
  Object.assign(made, { status: 'needs_response', is_charge_refundable: false });
  made.evidence_details.due_by = account.seconds() + daysToAnswer * 86_400;
  account.occurred('charge.dispute.updated', made);
  withdraw(account, made);
}

/**
 * Makes the card's network warn that the card holder calls a payment a fraud. After a refund or a dispute, the warning
 * is no longer useful.
 */
export function warnOfFraud(
  account: Account,
  intent: Stripe.PaymentIntent,
  fraudType = 'made_with_stolen_card',
): Stripe.Radar.EarlyFraudWarning {
  const charge = account.charges.get(String(intent.latest_charge));
  if (!charge) throw missing(String(intent.latest_charge));
  const made: Stripe.Radar.EarlyFraudWarning = {
    id: account.newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: !charge.disputed && !charge.refunded,
    charge: charge.id,
    created: account.seconds(),
    fraud_type: fraudType,
    livemode: account.isLive,
    payment_intent: intent.id,
  };
  account.warnings.set(made.id, made);
  account.occurred('radar.early_fraud_warning.created', made);
  return made;
}

/** Marks the fraud warnings of a charge as not actionable, because its money was refunded or disputed. */
export function endWarnings(account: Account, chargeId: string): void {
  for (const made of account.warnings.values()) {
    if (made.charge !== chargeId || !made.actionable) continue;
    made.actionable = false;
    account.occurred('radar.early_fraud_warning.updated', made);
  }
}

function withdraw(account: Account, made: Stripe.Dispute): void {
  const { amount, currency, id } = made;
  const taken = move(account, { type: 'adjustment', amount: -amount, currency, fee: disputeFee, source: id });
  made.balance_transactions.push(taken);
  account.occurred('charge.dispute.funds_withdrawn', made);
}

/** Submits evidence, like the merchant. */
export function challengeDispute(account: Account, id: string): void {
  const made = disputeById(account, id);
  made.status = made.status.startsWith('warning_') ? 'warning_under_review' : 'under_review';
  made.evidence_details.has_evidence = true;
  account.occurred('charge.dispute.updated', made);
}

/** Decides a dispute, like the bank. If the merchant wins, the money comes back. */
export function closeDispute(account: Account, id: string, outcome: 'won' | 'lost' | 'warning_closed'): void {
  const made = disputeById(account, id);
  const { amount, currency } = made;
  made.status = outcome;
  made.is_charge_refundable = outcome !== 'lost';
  account.occurred('charge.dispute.closed', made);
  if (outcome !== 'won' || made.balance_transactions.length === 0) return;
  made.balance_transactions.push(move(account, { type: 'adjustment', amount, currency, source: id }));
  account.occurred('charge.dispute.funds_reinstated', made);
}

export function disputeById(account: Account, id: string): Stripe.Dispute {
  const made = account.disputes.get(id);
  if (!made) throw missing(id);
  return made;
}
