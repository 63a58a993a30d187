import type Stripe from 'stripe';
import { type Account, ApiFault, missing } from './account.ts';
import { move } from './balance/ledger.ts';
import { refund } from './blank-objects.ts';
import { endWarnings } from './disputes.ts';

interface StripeRefundRequest {
  intentId: string;
  /** The amount; undefined means everything that is left. */
  amount: number | undefined;
  metadata: Record<string, string>;
  reason: Stripe.Refund['reason'];
}

/** Refunds an amount. It can be at most what is left of the payment. */
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
  const state = firstState(account, charge, returned);
  const made = refund({
    id: account.newId('re'),
    amount: returned,
    charge: charge.id,
    created: account.seconds(),
    currency: charge.currency,
    metadata,
    payment_intent: intentId,
    reason,
    ...state,
  });
  account.refunds.set(made.id, made);
  count(charge, returned);
  if (state.pending_reason !== 'insufficient_funds') take(account, made);
  if (charge.refunded) endWarnings(account, charge.id);
  account.occurred('refund.created', made);
  return made;
}

type FirstState = Pick<Stripe.Refund, 'status' | 'pending_reason' | 'next_action'>;

/** The first state of a refund. If there is enough money, the refund takes it. Otherwise it waits, or is refused. */
function firstState(account: Account, charge: Stripe.Charge, amount: number): FirstState {
  const available = account.available?.get(charge.currency) ?? 0;
  if (account.available && available < amount) {
    if (account.shortage === 'pending') return { status: 'pending', pending_reason: 'insufficient_funds' };
    throw new ApiFault(
      400,
      'Insufficient funds in your Stripe balance to refund this amount. You can add funds in your dashboard.',
      { code: 'balance_insufficient' },
    );
  }
  const fate = account.meansByCharge.get(charge.id)?.refunds;
  if (fate === 'after-charge') return { status: 'pending', pending_reason: 'charge_pending' };
  if (fate === 'pending') return { status: 'pending', pending_reason: 'processing' };
  return fate === 'asking'
    ? { status: 'requires_action', next_action: askingForAccount(account) }
    : { status: 'succeeded' };
}

const daysToAnswer = 45;

/** The state in which Stripe asks the buyer by mail for a bank account. */
const askingForAccount = (account: Account): Stripe.Refund['next_action'] => ({
  type: 'display_details',
  display_details: {
    email_sent: { email_sent_at: account.seconds(), email_sent_to: 'buyer@example.com' },
    expires_at: account.seconds() + daysToAnswer * 86_400,
  },
});

/** Takes a refund's money out of the balance. */
function take(account: Account, made: Stripe.Refund): void {
  const { id, amount, currency } = made;
  const available = account.available?.get(currency);
  if (available !== undefined) account.available?.set(currency, available - amount);
  made.balance_transaction = move(account, { type: 'refund', amount: -amount, currency, source: id }).id;
}

/** Adds money to the account. It pays the refunds that wait for money, oldest first. */
export function topUp(account: Account, currency: string, amount: number): void {
  account.available?.set(currency, (account.available.get(currency) ?? 0) + amount);
  for (const made of account.refunds.values()) {
    const isPayable = (account.available?.get(currency) ?? made.amount) >= made.amount;
    if (made.pending_reason !== 'insufficient_funds' || made.currency !== currency || !isPayable) continue;
    take(account, made);
    endStripeRefund(account, made.id);
  }
}

/** Cancels a refund whose buyer has not named a bank account in time. */
export function cancelStripeRefund(account: Account, id: string): void {
  const made = refundById(account, id);
  if (made.status !== 'requires_action') throw new ApiFault(400, `The refund ${id} is ${made.status}.`);
  giveBack(account, made);
  Object.assign(made, { status: 'canceled' });
  delete made.next_action;
  account.occurred('refund.failed', made);
}

/** Puts the money of a refund back into the balance, if the refund had taken it. */
function giveBack(account: Account, made: Stripe.Refund): void {
  const { id, amount, currency } = made;
  const charge = account.charges.get(String(made.charge));
  if (charge) count(charge, -amount);
  if (made.balance_transaction === null) return;
  const available = account.available?.get(currency);
  if (available !== undefined) account.available?.set(currency, available + amount);
  made.failure_balance_transaction = move(account, { type: 'refund_failure', amount, currency, source: id }).id;
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

/** Pays a refund that was pending, or for which the buyer has named a bank account. */
export function endStripeRefund(account: Account, id: string): void {
  const made = refundById(account, id);
  if (made.status !== 'pending' && made.status !== 'requires_action')
    throw new ApiFault(400, `The refund ${id} is ${made.status}.`);
  made.status = 'succeeded';
  delete made.pending_reason;
  delete made.next_action;
  account.occurred('refund.updated', made);
}

/** Gives a refund its number at the card's network, as it arrives days later. */
export function traceRefund(account: Account, id: string, reference: string): void {
  const made = refundById(account, id);
  const card = {
    type: 'refund' as const,
    reference,
    reference_status: 'available',
    reference_type: 'acquirer_reference_number',
  };
  made.destination_details = { type: 'card', card };
  account.occurred('refund.updated', made);
}

/** Makes a refund fail, even days after it succeeded. The balance gets the money back only once. */
export function failRefund(account: Account, id: string, reason = 'expired_or_canceled_card'): void {
  const made = refundById(account, id);
  if (made.status !== 'pending' && made.status !== 'succeeded')
    throw new ApiFault(400, `The refund ${id} is ${made.status}.`);
  giveBack(account, made);
  Object.assign(made, { status: 'failed', failure_reason: reason });
  delete made.pending_reason;
  account.occurred('refund.failed', made);
}

export function refundById(account: Account, id: string): Stripe.Refund {
  const made = account.refunds.get(id);
  if (!made) throw missing(id);
  return made;
}

/** A refund that has not ended yet, because its card makes it pending or failing. */
interface UnfinishedRefund {
  id: string;
  end: 'succeeded' | 'failed';
}

export const unfinishedRefunds = (account: Account): UnfinishedRefund[] =>
  [...account.refunds.values()].flatMap((made): UnfinishedRefund[] => {
    const fate = account.meansByCharge.get(String(made.charge))?.refunds;
    const isWaiting = made.status === 'requires_action' || made.pending_reason === 'charge_pending';
    if (isWaiting || (fate === 'pending' && made.status === 'pending')) return [{ id: made.id, end: 'succeeded' }];
    return fate === 'failing' && made.status === 'succeeded' ? [{ id: made.id, end: 'failed' }] : [];
  });
