import type Stripe from 'stripe';
import { type Account, ApiFault, missing } from './account.ts';
import { refund } from './blank-objects.ts';
import { move } from './ledger.ts';

interface StripeRefundRequest {
  intentId: string;
  /** Absent: the whole remaining amount. */
  amount: number | undefined;
  metadata: Record<string, string>;
  reason: Stripe.Refund['reason'];
}

/** Refunds at most the remaining amount of the payment. */
export function createStripeRefund(
  account: Account,
  { intentId, amount, metadata, reason }: StripeRefundRequest,
): Stripe.Refund {
  const charge = refundableCharge(account, intentId);
  const left = charge.amount - charge.amount_refunded;
  const returned = amount ?? left;
  if (left === 0)
    throw new ApiFault(400, `${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (returned < 1 || returned > left)
    throw new ApiFault(400, `Refund amount (${returned}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    });
  const isPending = account.meansByCharge.get(charge.id)?.refunds === 'pending';
  const made = refund({
    id: account.newId('re'),
    amount: returned,
    charge: charge.id,
    created: account.seconds(),
    currency: charge.currency,
    metadata,
    payment_intent: intentId,
    reason,
    status: isPending ? 'pending' : 'succeeded',
    ...(isPending ? { pending_reason: 'processing' } : {}),
  });
  account.refunds.set(made.id, made);
  count(charge, returned);
  made.balance_transaction = move(account, {
    type: 'refund',
    amount: -returned,
    currency: made.currency,
    source: made.id,
  }).id;
  account.occurred('refund.created', made);
  return made;
}

function refundableCharge(account: Account, intentId: string): Stripe.Charge {
  const intent = account.intents.get(intentId);
  if (!intent) throw missing(intentId);
  const charge = account.charges.get(String(intent.latest_charge));
  if (!charge) throw new ApiFault(400, `The PaymentIntent ${intentId} does not have a successful charge to refund.`);
  const isWithdrawn = [...account.disputes.values()].some(
    (dispute) => dispute.charge === charge.id && !dispute.is_charge_refundable,
  );
  if (isWithdrawn)
    throw new ApiFault(400, `The charge ${charge.id} has been charged back.`, { code: 'charge_disputed' });
  return charge;
}

function count(charge: Stripe.Charge, amount: number): void {
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
}

/** Ends a pending refund. */
export function endStripeRefund(account: Account, id: string): void {
  const made = refundById(account, id);
  if (made.status !== 'pending') throw new ApiFault(400, `The refund ${id} is ${made.status}.`);
  made.status = 'succeeded';
  delete made.pending_reason;
  account.occurred('refund.updated', made);
}

/** Fails a refund, even days after it had succeeded. The balance gets the money back once. */
export function failRefund(account: Account, id: string, reason = 'expired_or_canceled_card'): void {
  const made = refundById(account, id);
  if (made.status !== 'pending' && made.status !== 'succeeded')
    throw new ApiFault(400, `The refund ${id} is ${made.status}.`);
  Object.assign(made, { status: 'failed', failure_reason: reason });
  const { amount, currency } = made;
  made.failure_balance_transaction = move(account, { type: 'refund_failure', amount, currency, source: id }).id;
  const charge = account.charges.get(String(made.charge));
  if (charge) count(charge, -amount);
  account.occurred('refund.failed', made);
}

export function refundById(account: Account, id: string): Stripe.Refund {
  const made = account.refunds.get(id);
  if (!made) throw missing(id);
  return made;
}

/** A refund that its card makes pending or failing, and that has not ended yet. */
interface UnfinishedRefund {
  id: string;
  end: 'succeeded' | 'failed';
}

export const unfinishedRefunds = (account: Account): UnfinishedRefund[] =>
  [...account.refunds.values()].flatMap((made): UnfinishedRefund[] => {
    const fate = account.meansByCharge.get(String(made.charge))?.refunds;
    if (fate === 'pending' && made.status === 'pending') return [{ id: made.id, end: 'succeeded' }];
    return fate === 'failing' && made.status === 'succeeded' ? [{ id: made.id, end: 'failed' }] : [];
  });
