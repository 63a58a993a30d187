/** Events about money that a person must look at. docs/runbook.md says what to do about each. */
type MoneyAlert =
  | 'processor-refuses'
  | 'statement-text-refused'
  | 'notifications-refused'
  | 'notification-missing'
  | 'refund-waits'
  | 'dispute-unknown-status'
  | 'dispute-escalated'
  | 'fraud-warning'
  | 'refund-came-back'
  | 'late-payment-returned'
  | 'refund-adopted'
  | 'refund-not-adopted'
  | 'books-differ'
  | 'withdrawal-unacknowledged';

/** Logs an alert about money, with the ids of the objects that it concerns. */
export type AlertMoney = (alert: MoneyAlert, about: Readonly<Record<string, string>>) => void;
