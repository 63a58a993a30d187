import type Stripe from 'stripe';
import type { Account, Movement } from '../account.ts';
import { balanceTransaction } from '../blank-objects.ts';

/** The fee of a charge: 1.5 % and 25 of the smallest unit, rounded up. */
export const feeOf = (amount: number): number => Math.ceil((amount * 15) / 1_000) + 25;

/** The fee of a dispute. */
export const disputeFee = 1_500;

/** Records a movement of money and its balance transaction at once, in the account's currency. */
export function move(account: Account, movement: Movement): Stripe.BalanceTransaction {
  account.movements.push(movement);
  return settle(account, movement);
}

/** Records a charge. Its balance transaction exists at once, or later if the account settles later. */
export function moveCharge(account: Account, movement: Movement, charge: Stripe.Charge): void {
  account.movements.push(movement);
  if (!account.settlement?.afterSeconds) charge.balance_transaction = settle(account, movement).id;
}

/** Records the balance transactions of charges that are now due for settlement. */
export function settleLate(account: Account): void {
  if (!account.settlement) return;
  const { afterSeconds } = account.settlement;
  for (const charge of account.charges.values()) {
    if (charge.balance_transaction !== null || charge.created + afterSeconds > account.seconds()) continue;
    const movement = account.movements.find(({ source }) => source === charge.id);
    if (!movement) continue;
    charge.balance_transaction = settle(account, movement).id;
    account.occurred('charge.updated', charge);
  }
}

/**
 * Records the balance transaction of a movement. The sum of these transactions is the account's balance. What is in the
 * balance already is not converted.
 */
export function settle(
  account: Account,
  { fee, ...movement }: Movement,
  { isConverted = true } = {},
): Stripe.BalanceTransaction {
  const { currency = movement.currency, rate = 1 } = (isConverted && account.settlement) || {};
  const amount = Math.round(movement.amount * rate);
  const transaction = balanceTransaction({
    ...movement,
    id: account.newId('txn'),
    created: account.seconds(),
    amount,
    currency,
    fee: fee === undefined ? 0 : Math.round(fee * rate),
    exchange_rate: currency === movement.currency ? null : rate,
  });
  account.transactions.set(transaction.id, transaction);
  return transaction;
}

/** The paid, refunded and disputed amounts of one of our payments, in Stripe's unit and before fees. */
export interface LedgerLine {
  paymentId: string;
  currency: string;
  charges: number;
  paid: number;
  refunded: number;
  disputed: number;
}

/** One line for each of our payments that was paid. Tests compare Tillstack's rows with them. */
export function ledgerOf(account: Account): LedgerLine[] {
  const lines = new Map<string, LedgerLine>();
  for (const { type, amount, currency, source } of account.movements) {
    const paymentId = paymentIdOf(account, String(source));
    const line = lines.get(paymentId) ?? { paymentId, currency, charges: 0, paid: 0, refunded: 0, disputed: 0 };
    if (type === 'charge' || type === 'payment') {
      line.charges += 1;
      line.paid += amount;
    } else if (type === 'adjustment') line.disputed -= amount;
    else line.refunded -= amount;
    lines.set(paymentId, line);
  }
  return [...lines.values()];
}

function paymentIdOf(account: Account, source: string): string {
  const object = account.refunds.get(source) ?? account.disputes.get(source) ?? account.charges.get(source);
  const intent = account.intents.get(String(object?.payment_intent ?? ''));
  return intent?.metadata['payment_id'] ?? source;
}
