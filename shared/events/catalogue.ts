import type { ExpiredCheckout } from '../domain/checkout/expired-checkout.ts';
import type { Dispute } from '../domain/payments/dispute.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { Refund } from '../domain/payments/refund.ts';
import type { ThresholdStatus } from '../domain/reports/thresholds.ts';

/** The events that happen here, `noun.past`. */
export const eventTypes = [
  'payment.processing',
  'payment.succeeded',
  'payment.failed',
  'payment.cancelled',
  'refund.succeeded',
  'refund.failed',
  'dispute.opened',
  'dispute.challenged',
  'dispute.accepted',
  'dispute.expired',
  'dispute.won',
  'dispute.lost',
  'dispute.cancelled',
  'tax_threshold.approached',
  'tax_threshold.passed',
  'checkout_session.expired',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The events that a document may follow: an invoice, a credit note, or the cancellation of one. */
export const documentedTypes = [
  'payment.succeeded',
  'refund.succeeded',
  'refund.failed',
] as const satisfies readonly EventType[];

/** Whether a document follows. Of failed refunds, only one that had succeeded has a credit note to cancel. */
export const isDocumented = ({ type, refund }: DomainEvent): boolean =>
  type === 'payment.succeeded' || type === 'refund.succeeded' || refund?.reverted !== undefined;

/** Who puts events on the bus. */
export const eventSource = 'tillstack';

interface Occurrence {
  id: string;
  type: EventType;
  occurredAt: string;
  /** Null where it is about no payment. Of an expired checkout: its latest attempt. */
  paymentId: string | null;
  /** Counts the events of one payment from 1: consumers order by it. 0 where it changes no payment. */
  sequence: number;
}

/** What an event can be about, by its member of the event. */
interface Subjects {
  payment: Payment;
  refund: Refund;
  dispute: Dispute;
  threshold: ThresholdStatus;
  expiry: ExpiredCheckout;
}

/** An event is about one of them. */
type Subject = {
  [Name in keyof Subjects]: Pick<Subjects, Name> & { [Other in Exclude<keyof Subjects, Name>]?: undefined };
}[keyof Subjects];

export type DomainEvent = Occurrence & Subject;

interface Recorded {
  event: DomainEvent;
  /** The payment with its event counted. */
  payment: Payment;
}

/** The event of a payment's new state, with the payment that is committed. */
export function recordPaymentEvent(before: Payment, { id, now }: { id: string; now: string }): Recorded {
  const payment = { ...before, events: before.events + 1 };
  const type = `payment.${payment.status}` as const;
  return { payment, event: { id, type, occurredAt: now, paymentId: payment.id, sequence: payment.events, payment } };
}

/** The event of a refund that has ended. A pending refund has none. */
export function recordRefundEvent(before: Payment, refund: Refund, { id, now }: { id: string; now: string }): Recorded {
  const payment = { ...before, events: before.events + 1 };
  const type = refund.status === 'failed' ? 'refund.failed' : 'refund.succeeded';
  return { payment, event: { id, type, occurredAt: now, paymentId: payment.id, sequence: payment.events, refund } };
}

/** The event of a dispute's new status. */
export function recordDisputeEvent(
  before: Payment,
  dispute: Dispute,
  { id, now }: { id: string; now: string },
): Recorded {
  const payment = { ...before, events: before.events + 1 };
  const type = `dispute.${dispute.status}` as const;
  return { payment, event: { id, type, occurredAt: now, paymentId: payment.id, sequence: payment.events, dispute } };
}

/** The event of a limit of registration that is near, or passed. */
export const recordThresholdEvent = (
  threshold: ThresholdStatus,
  { id, now }: { id: string; now: string },
): DomainEvent => ({
  id,
  type: threshold.level === 'passed' ? 'tax_threshold.passed' : 'tax_threshold.approached',
  occurredAt: now,
  paymentId: null,
  sequence: 0,
  threshold,
});

/** The event of a checkout that expired unpaid. It names the latest attempt to pay, so that it is found with it. */
export const recordExpiryEvent = (expiry: ExpiredCheckout, { id, now }: { id: string; now: string }): DomainEvent => ({
  id,
  type: 'checkout_session.expired',
  occurredAt: now,
  paymentId: expiry.session.paymentId,
  sequence: 0,
  expiry,
});
