import type Stripe from 'stripe';
import { type Account, ApiFault, missing } from '../account.ts';
import { charge, payout } from '../blank-objects.ts';
import { feeOf, settle } from './ledger.ts';

const daySeconds = 86_400;
const daysUntilArrival = 2;

interface PayoutOrder {
  currency: string;
  /** Absent: Stripe makes the payout by itself, and knows what is in it. Otherwise, the amount that the owner asks for. */
  manualAmount?: number;
}

/** Everything of a currency that no payout contains yet. */
const unpaid = (account: Account, currency: string): Stripe.BalanceTransaction[] =>
  [...account.transactions.values()].filter((one) => one.currency === currency && !account.paidOutIn.has(one.id));

/**
 * Pays a currency's balance out. The list of what is in it is complete only after `completePayout`. If the balance is
 * negative, the bank account is debited.
 */
export function payOut(account: Account, { currency, manualAmount }: PayoutOrder): Stripe.Payout {
  const contained = unpaid(account, currency);
  const amount = manualAmount ?? contained.reduce((total, { net }) => total + net, 0);
  const isAutomatic = manualAmount === undefined;
  const made = payout({
    id: account.newId('po'),
    amount,
    arrival_date: account.seconds() + daysUntilArrival * daySeconds,
    automatic: isAutomatic,
    created: account.seconds(),
    currency,
    livemode: account.isLive,
    method: isAutomatic ? 'standard' : 'instant',
    reconciliation_status: isAutomatic ? 'in_progress' : 'not_applicable',
    status: 'in_transit',
  });
  account.payouts.set(made.id, made);
  const taken = settle(account, { type: 'payout', amount: -amount, currency, source: made.id }, { isConverted: false });
  made.balance_transaction = taken.id;
  if (isAutomatic) for (const { id } of [...contained, taken]) account.paidOutIn.set(id, made.id);
  account.occurred('payout.created', made);
  return made;
}

/** The list of what is in a payout is complete. */
export function completePayout(account: Account, id: string): void {
  const made = payoutById(account, id);
  if (!made.automatic) throw new ApiFault(400, `The payout ${id} is manual.`);
  made.reconciliation_status = 'completed';
  account.occurred('payout.reconciliation_completed', made);
}

/** The money arrives at the bank. */
export function arrivePayout(account: Account, id: string): void {
  const made = payoutById(account, id);
  made.status = 'paid';
  account.occurred('payout.paid', made);
}

/** The bank sends the money back, even after it had arrived. A later payout contains it. */
export function failPayout(account: Account, id: string): void {
  returnPayout(account, id, { status: 'failed', type: 'payout_failure' });
  const made = payoutById(account, id);
  Object.assign(made, { failure_code: 'account_closed', failure_message: 'The bank account has been closed.' });
  account.occurred('payout.failed', made);
}

/** The owner stops a payout that is pending. */
export function cancelPayout(account: Account, id: string): void {
  returnPayout(account, id, { status: 'canceled', type: 'payout_cancel' });
  account.occurred('payout.canceled', payoutById(account, id));
}

function returnPayout(
  account: Account,
  id: string,
  { status, type }: { status: string; type: Stripe.BalanceTransaction['type'] },
): void {
  const made = payoutById(account, id);
  if (made.status === 'failed' || made.status === 'canceled')
    throw new ApiFault(400, `The payout ${id} is ${made.status}.`);
  const { amount, currency } = made;
  made.status = status;
  made.failure_balance_transaction = settle(account, { type, amount, currency, source: id }, { isConverted: false }).id;
}

export function payoutById(account: Account, id: string): Stripe.Payout {
  const made = account.payouts.get(id);
  if (!made) throw missing(id);
  return made;
}

/** What is in a payout, as far as Stripe lists it. Only the newest entries are there while the list is in progress. */
export function entriesOfPayout(account: Account, id: string): Map<string, Stripe.BalanceTransaction> {
  const made = payoutById(account, id);
  if (!made.automatic)
    throw new ApiFault(400, 'Balance transaction history can only be filtered on automatic transfers, not manual.', {
      param: 'payout',
    });
  const contained = [...account.transactions].filter(([entry]) => account.paidOutIn.get(entry) === id);
  const isListed = made.reconciliation_status === 'completed';
  return new Map(isListed ? contained : contained.slice(Math.floor(contained.length / 2)));
}

/** A sale of another shop in the account, or one without any shop. */
export function sellElsewhere(
  account: Account,
  { amount, currency, metadata = {} }: { amount: number; currency: string; metadata?: Record<string, string> },
): Stripe.Charge {
  const made = charge({
    id: account.newId('ch'),
    amount,
    amount_captured: amount,
    captured: true,
    created: account.seconds(),
    currency,
    livemode: account.isLive,
    metadata,
    paid: true,
    payment_intent: null,
    payment_method_details: null,
    status: 'succeeded',
  });
  account.charges.set(made.id, made);
  const entry = { type: 'charge' as const, amount, currency, fee: feeOf(amount), source: made.id };
  made.balance_transaction = settle(account, entry).id;
  return made;
}

/** Any other entry of the balance: Stripe's own fees, reserves, contributions … */
export function enterOther(
  account: Account,
  {
    type,
    amount,
    currency,
    description = null,
  }: { type: Stripe.BalanceTransaction['type']; amount: number; currency: string; description?: string | null },
): void {
  const made = settle(account, { type, amount, currency, source: null }, { isConverted: false });
  made.description = description;
}
