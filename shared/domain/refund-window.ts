import { DomainError } from './errors.ts';
import type { Payment } from './payment.ts';

const dayMs = 86_400_000;

/** Refuses a refund that comes later than the merchant allows; without a window any time is right. */
export function assertRefundWindow(payment: Payment, now: Date, windowDays: number | undefined): void {
  if (windowDays === undefined) return;
  if (now.getTime() - Date.parse(payment.createdAt) <= windowDays * dayMs) return;
  throw new DomainError('REFUND_WINDOW_EXPIRED', `Refunds are possible within ${windowDays} days of the payment.`);
}
