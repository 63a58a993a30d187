import type { Grant } from '../entitlements/grant.ts';
import type { Payment } from '../payments/payment.ts';
import { isConsumerPayment } from './consumer-area.ts';
import { supplyOf } from './supply.ts';

/** The parts of a payment that decide whether the buyer has waived the right of withdrawal for a line. */
export type WaivableSale = Pick<Payment, 'lines' | 'billing' | 'evidence' | 'taxId' | 'supplyConsents'>;

/**
 * Whether a consumer has asked for the content of a line at once, and loses the right of withdrawal when it is
 * supplied. The content is shown only when the buyer opens it. So the time of the supply is known.
 */
export function isWaived(payment: WaivableSale, line: number): boolean {
  const { lines, supplyConsents = [] } = payment;
  const sold = lines[line];
  const isAsked = supplyConsents.some(({ kind, lines: about }) => kind === 'immediate_supply' && about.includes(line));
  return isAsked && sold !== undefined && supplyOf(sold) === 'content' && isConsumerPayment(payment);
}

/**
 * Whether a consumer has waived the right of withdrawal for any line. Such a waiver needs a confirmation by mail, for
 * which the content waits.
 */
export const hasWaiver = (payment: WaivableSale): boolean => payment.lines.some((_, line) => isWaived(payment, line));

/**
 * How long the content of a waived line waits for the mail with the confirmation. After that it opens anyway, and the
 * right of withdrawal stays.
 */
const waitingMs = 60_000;

/**
 * The time until which a grant waits for the confirmation: sixty seconds after the payment succeeded. If the grant does
 * not store that time, it is estimated: the earlier of the grant's issue and the payment's last change.
 */
export const opensAt = (
  { paidAt, createdAt: issuedAt }: Pick<Grant, 'createdAt' | 'paidAt'>,
  { updatedAt }: Pick<Payment, 'updatedAt'>,
): number =>
  (paidAt === undefined ? Math.min(Date.parse(issuedAt), Date.parse(updatedAt)) : Date.parse(paidAt)) + waitingMs;
