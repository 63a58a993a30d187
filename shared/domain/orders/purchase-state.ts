import { disputeStandingOf, lostOf, saleStateOf } from '../payments/dispute-standing.ts';
import type { Payment } from '../payments/payment.ts';

/** What a buyer's order has come to: it was paid, it was free, or its payment went back or may go back. */
export type PurchaseState = 'paid' | 'free' | 'refunded' | 'disputed' | 'lost';

/** The state of an order for its buyer. A partial refund or loss leaves it paid. */
export function purchaseStateOf(payment: Payment): PurchaseState {
  if (payment.gross === 0) return 'free';
  const state = saleStateOf({ ...payment, disputeStanding: disputeStandingOf(payment) });
  if (state === 'lost') return lostOf(payment) + payment.refunded < payment.gross ? 'paid' : 'lost';
  return state === 'refunded' || state === 'disputed' ? state : 'paid';
}
