import { dayMs } from '../duration.ts';
import { DomainError } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import type { Payment } from './payment.ts';

/** Refuses a refund after the merchant's refund period. Without such a period, a refund is always possible. */
export function assertRefundWindow(payment: Payment, now: string, windowDays: number | undefined): void {
  if (windowDays === undefined) return;
  if (Date.parse(now) - Date.parse(payment.createdAt) <= windowDays * dayMs) return;
  throw new DomainError('REFUND_WINDOW_EXPIRED', brokenRule(sentences.refund_window, { days: windowDays }));
}
