import type Stripe from 'stripe';
import type { Account } from './account.ts';
import { balanceTransaction } from './blank-objects.ts';

/** The fee of a charge: 1.5 % and 25 of the smallest unit, rounded up. */
export const feeOf = (amount: number): number => Math.ceil((amount * 15) / 1_000) + 25;

/** The fee of a dispute. */
export const disputeFee = 1_500;

interface Movement {
  type: Stripe.BalanceTransaction['type'];
  amount: number;
  currency: string;
  fee?: number;
  source: string;
}

/** Records balance transactions. The account's balance is the sum of them. */
export function move(account: Account, { fee = 0, ...movement }: Movement): Stripe.BalanceTransaction {
  const transaction = balanceTransaction({ id: account.newId('txn'), created: account.seconds(), fee, ...movement });
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

/** One line for each of our payments that was paid. Tests compare Tillstack's books with it. */
export function ledgerOf(account: Account): LedgerLine[] {
  const lines = new Map<string, LedgerLine>();
  for (const { type, amount, currency, source } of account.transactions.values()) {
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
