import type { ExpiredCheckout } from '../domain/checkout/expired-checkout.ts';
import type { GrantView } from '../domain/entitlements/grant-view.ts';
import type { KeyState } from '../domain/entitlements/license-key.ts';
import type { PoolNotice } from '../domain/entitlements/pool.ts';
import type { Dispute } from '../domain/payments/dispute.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { Refund } from '../domain/payments/refund.ts';
import type { ThresholdStatus } from '../domain/reports/thresholds.ts';
import type { ConfirmedOrder } from '../domain/withdrawal/confirmation.ts';
import type { Withdrawal, WithdrawalCase } from '../domain/withdrawal/withdrawal-case.ts';

/** The types of events, named `noun.past`. */
export const eventTypes = [
  'payment.processing',
  'payment.succeeded',
  'payment.failed',
  'payment.cancelled',
  'payment.fraud_warned',
  'refund.succeeded',
  'refund.failed',
  'refund.delayed',
  'invoice.corrected',
  'dispute.opened',
  'dispute.challenged',
  'dispute.accepted',
  'dispute.expired',
  'dispute.won',
  'dispute.lost',
  'dispute.cancelled',
  'dispute.adjusted',
  'tax_threshold.approached',
  'tax_threshold.passed',
  'checkout_session.expired',
  'entitlement_grant.created',
  'entitlement_grant.delivered',
  'entitlement_grant.failed',
  'entitlement_grant.revoked',
  'license_key.created',
  'confirmation.accepted',
  'withdrawal.declared',
  'withdrawal.decided',
  'code_pool.ran_low',
  'code_pool.ran_out',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The source of all our events on the bus. */
export const eventSource = 'tillstack';

/**
 * The version of the form of entries on the bus. It changes if a field is removed or gets another meaning. New fields and
 * new types do not change it.
 */
export const entryVersion = 1;

interface Occurrence {
  id: string;
  type: EventType;
  occurredAt: string;
  /** The payment; null if there is none. For an expired checkout, it is the latest attempt to pay. */
  paymentId: string | null;
  /**
   * The number of the event among those of its payment, grant or withdrawal, starting at 1. Receivers sort by it. It is
   * 0 if the event belongs to none of them.
   */
  sequence: number;
}

/** The possible subjects of an event, by field name. */
interface Subjects {
  payment: Payment;
  refund: Refund;
  dispute: Dispute;
  threshold: ThresholdStatus;
  expiry: ExpiredCheckout;
  grant: GrantView;
  licenseKey: KeyState;
  confirmed: ConfirmedOrder;
  withdrawal: Withdrawal;
  poolNotice: PoolNotice;
}

/** The one subject of an event. */
type Subject = {
  [Name in keyof Subjects]: Pick<Subjects, Name> & { [Other in Exclude<keyof Subjects, Name>]?: undefined };
}[keyof Subjects];

export type DomainEvent = Occurrence & Subject;

interface Recorded {
  event: DomainEvent;
  /** The payment with its event counter increased. */
  payment: Payment;
}

/**
 * Whether an event is numbered among those of its payment. The events of grants and licence keys have separate numbers.
 */
export const isNumberedByPayment = ({ type }: { type: string }): boolean =>
  /^(payment|refund|dispute|invoice)\./.test(type);

/** Makes the event of a payment's new state, and the payment to commit with it. */
export function recordPaymentEvent(before: Payment, { id, now }: { id: string; now: string }): Recorded {
  const payment = { ...before, events: before.events + 1 };
  const type = `payment.${payment.status}` as const;
  return { payment, event: { id, type, occurredAt: now, paymentId: payment.id, sequence: payment.events, payment } };
}

/** Makes the event of an early fraud warning about a payment. */
export function recordFraudWarning(before: Payment, { id, now }: { id: string; now: string }): Recorded {
  const payment = { ...before, events: before.events + 1 };
  const type = 'payment.fraud_warned';
  return { payment, event: { id, type, occurredAt: now, paymentId: payment.id, sequence: payment.events, payment } };
}

const refundEvents = {
  pending: 'refund.delayed',
  succeeded: 'refund.succeeded',
  failed: 'refund.failed',
} as const satisfies Record<Refund['status'], EventType>;

/**
 * Makes the event of a refund that has ended. It also makes the event of a pending refund, when the reason for waiting
 * becomes known.
 */
export function recordRefundEvent(before: Payment, refund: Refund, { id, now }: { id: string; now: string }): Recorded {
  const payment = { ...before, events: before.events + 1 };
  const type = refundEvents[refund.status];
  return { payment, event: { id, type, occurredAt: now, paymentId: payment.id, sequence: payment.events, refund } };
}

interface RecordedAll {
  events: DomainEvent[];
  payment: Payment;
}

/**
 * Makes the events of a refund that has ended: also the one of the corrected invoice, if the refund books it and has
 * succeeded.
 */
export function recordRefundEnd(
  before: Payment,
  refund: Refund,
  { newId, now }: { newId: (prefix: 'evt') => string; now: string },
): RecordedAll {
  const ended = recordRefundEvent(before, refund, { id: newId('evt'), now });
  if (refund.status !== 'succeeded' || !refund.correction) return { events: [ended.event], payment: ended.payment };
  const corrected = recordCorrectedInvoice(ended.payment, { id: newId('evt'), now });
  return { events: [ended.event, corrected.event], payment: corrected.payment };
}

/** Makes the event of a corrected invoice. Its payment names both invoices. */
export function recordCorrectedInvoice(before: Payment, { id, now }: { id: string; now: string }): Recorded {
  const payment = { ...before, events: before.events + 1 };
  const type = 'invoice.corrected';
  return { payment, event: { id, type, occurredAt: now, paymentId: payment.id, sequence: payment.events, payment } };
}

/** Makes the event of a dispute's new status. */
export function recordDisputeEvent(
  before: Payment,
  dispute: Dispute,
  { id, now }: { id: string; now: string },
): Recorded {
  const payment = { ...before, events: before.events + 1 };
  const type = `dispute.${dispute.status}` as const;
  return { payment, event: { id, type, occurredAt: now, paymentId: payment.id, sequence: payment.events, dispute } };
}

/** Makes the event of a dispute's new adjustment of the taxed amount. */
export function recordAdjustmentEvent(
  before: Payment,
  dispute: Dispute,
  { id, now }: { id: string; now: string },
): Recorded {
  const payment = { ...before, events: before.events + 1 };
  const type = 'dispute.adjusted';
  return { payment, event: { id, type, occurredAt: now, paymentId: payment.id, sequence: payment.events, dispute } };
}

/** Makes the event of a registration limit that is nearly reached or exceeded. */
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

/**
 * Makes the event of a checkout that expired unpaid. It names the latest attempt to pay, so both can be found
 * together.
 */
export const recordExpiryEvent = (expiry: ExpiredCheckout, { id, now }: { id: string; now: string }): DomainEvent => ({
  id,
  type: 'checkout_session.expired',
  occurredAt: now,
  paymentId: expiry.session.paymentId,
  sequence: 0,
  expiry,
});

/** A grant with its event counter increased, and the event. */
interface RecordedGrant {
  view: GrantView;
  event: DomainEvent;
}

/** Makes the event of a grant's new state. A grant counts its own events, because its payment does not change. */
export function recordGrantEvent(before: GrantView, type: GrantEventType, { id, now }: EventOrigin): RecordedGrant {
  const view = { ...before, grant: { ...before.grant, events: before.grant.events + 1 } };
  const { paymentId, events: sequence } = view.grant;
  return { view, event: { id, type, occurredAt: now, paymentId, sequence, grant: view } };
}

type GrantEventType = Extract<EventType, `entitlement_grant.${string}`>;

interface EventOrigin {
  id: string;
  now: string;
}

/**
 * Makes the event of a contract confirmation that the mail service has accepted. The event does not change the payment,
 * so it has no number.
 */
export const recordConfirmationEvent = (confirmed: ConfirmedOrder, { id, now }: EventOrigin): DomainEvent => ({
  id,
  type: 'confirmation.accepted',
  occurredAt: now,
  paymentId: confirmed.id,
  sequence: 0,
  confirmed,
});

/** Makes the event of a declaration of withdrawal that has an order, or of a decision about it. */
export function recordWithdrawalEvent(
  { declaration, current: before }: Withdrawal,
  type: Extract<EventType, `withdrawal.${string}`>,
  { id, now }: EventOrigin,
): { current: WithdrawalCase; event: DomainEvent } {
  const current = { ...before, events: before.events + 1 };
  const { paymentId, events: sequence } = current;
  const withdrawal = { declaration, current };
  return { current, event: { id, type, occurredAt: now, paymentId, sequence, withdrawal } };
}

/** Makes the event of a grant's new licence key. */
export function recordKeyEvent(before: GrantView, licenseKey: KeyState, { id, now }: EventOrigin): RecordedGrant {
  const view = { ...before, key: licenseKey, grant: { ...before.grant, events: before.grant.events + 1 } };
  const { paymentId, events: sequence } = view.grant;
  return { view, event: { id, type: 'license_key.created', occurredAt: now, paymentId, sequence, licenseKey } };
}

/** Makes the event of a pool of codes that is nearly empty, or in which a sale found no code. */
export const recordPoolEvent = (poolNotice: PoolNotice, { id, now }: EventOrigin): DomainEvent => ({
  id,
  type: poolNotice.level === 'empty' ? 'code_pool.ran_out' : 'code_pool.ran_low',
  occurredAt: now,
  paymentId: null,
  sequence: 0,
  poolNotice,
});
