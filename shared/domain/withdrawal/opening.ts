import type { Grant } from '../entitlements/grant.ts';
import type { Payment } from '../payments/payment.ts';
import { isConsumerPayment } from './consumer-area.ts';
import { supplyOf } from './supply.ts';

type Sold = Pick<Payment, 'lines' | 'billing' | 'evidence' | 'taxId' | 'supplyConsents'>;

/**
 * Whether a consumer has asked for the content of a line at once, and loses the right of withdrawal with its supply.
 * What such a line gives is not shown before the buyer opens it, so that the begin of its supply is known.
 */
export function isWaived(payment: Sold, line: number): boolean {
  const { lines, supplyConsents = [] } = payment;
  const sold = lines[line];
  const isAsked = supplyConsents.some(({ kind, lines: about }) => kind === 'immediate_supply' && about.includes(line));
  return isAsked && sold !== undefined && supplyOf(sold) === 'content' && isConsumerPayment(payment);
}

/** For how long the goods of a waived line wait for the confirmation. Then they open, and the right is kept. */
const waitingMs = 60_000;

/**
 * Until when a grant waits for the confirmation: sixty seconds from the payment. That has succeeded before the grant
 * was issued, and not after the payment was changed for the last time.
 */
export const opensAt = (
  { createdAt: issuedAt }: Pick<Grant, 'createdAt'>,
  { updatedAt }: Pick<Payment, 'updatedAt'>,
): number => Math.min(Date.parse(issuedAt), Date.parse(updatedAt)) + waitingMs;
