import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { disputeStatuses } from '../../domain/payments/payment.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { sampleExpiry } from '../../domain/webhooks/sample-expiry.ts';
import { sampleGrant, samplePool } from '../../domain/webhooks/sample-grant.ts';
import {
  sampleAdjustedDispute,
  sampleDispute,
  samplePayment,
  sampleRefund,
  sampleThreshold,
  sampleWarnedPayment,
} from '../../domain/webhooks/sample-payment.ts';
import { sampleConfirmation, sampleWithdrawal } from '../../domain/webhooks/sample-withdrawal.ts';
import {
  type DomainEvent,
  type EventType,
  recordAdjustmentEvent,
  recordConfirmationEvent,
  recordCorrectedInvoice,
  recordDisputeEvent,
  recordExpiryEvent,
  recordFraudWarning,
  recordGrantEvent,
  recordKeyEvent,
  recordPaymentEvent,
  recordPoolEvent,
  recordRefundEvent,
  recordThresholdEvent,
  recordWithdrawalEvent,
} from '../../events/catalogue.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';

export interface TestWebhookDeps {
  webhooks: Pick<WebhookStore, 'get'>;
  events: Pick<EventStore, 'saveTest'>;
  freeze: (event: DomainEvent) => string;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** A test that was sent. Its deliveries show the result. */
export interface WebhookTest {
  eventId: string;
  type: EventType;
}

/** Sends a test event to one endpoint, regardless of its filter, in the same way as every event. */
export async function testWebhook(
  deps: TestWebhookDeps,
  id: string,
  type: EventType,
  claim: Claim<WebhookTest>,
): Promise<WebhookTest> {
  const endpoint = await deps.webhooks.get(id);
  if (endpoint.disabled) throw new DomainError('CONFLICT', brokenRule(sentences.endpoint_disabled, { endpoint: id }));
  const event = sampleEvent(type, deps.newId('evt'), deps.now().toISOString());
  const test = { eventId: event.id, type };
  await deps.events.saveTest({ event, payload: deps.freeze(event), endpointId: id }, claim(test, null));
  return test;
}

function sampleEvent(type: EventType, id: string, now: string): DomainEvent {
  const other =
    sampleNotice(type, { id, now }) ?? sampleGrantEvent(type, { id, now }) ?? sampleWithdrawalEvent(type, { id, now });
  if (other) return other;
  const dispute = disputeStatuses.find((one) => type === `dispute.${one}`);
  if (dispute)
    return recordDisputeEvent(samplePayment('succeeded', now), sampleDispute(dispute, now), { id, now }).event;
  if (type === 'dispute.adjusted')
    return recordAdjustmentEvent(samplePayment('succeeded', now), sampleAdjustedDispute(now), { id, now }).event;
  if (type === 'invoice.corrected') return recordCorrectedInvoice(samplePayment('succeeded', now), { id, now }).event;
  if (type === 'payment.fraud_warned') return recordFraudWarning(sampleWarnedPayment(now), { id, now }).event;
  if (type.startsWith('refund.')) return sampleRefundEvent(type, { id, now });
  const [, status] = type.split('.') as ['payment', 'processing' | 'succeeded' | 'failed' | 'cancelled'];
  return recordPaymentEvent(samplePayment(status, now), { id, now }).event;
}

function sampleRefundEvent(type: EventType, origin: { id: string; now: string }): DomainEvent {
  const status = type === 'refund.delayed' ? 'pending' : type === 'refund.failed' ? 'failed' : 'succeeded';
  return recordRefundEvent(samplePayment('succeeded', origin.now), sampleRefund(status, origin.now), origin).event;
}

/** The test event for the types about confirmations and withdrawals; undefined for other types. */
function sampleWithdrawalEvent(type: EventType, origin: { id: string; now: string }): DomainEvent | undefined {
  if (type === 'confirmation.accepted') return recordConfirmationEvent(sampleConfirmation(origin.now), origin);
  if (type !== 'withdrawal.declared' && type !== 'withdrawal.decided') return undefined;
  const withdrawal = sampleWithdrawal(type === 'withdrawal.decided' ? 'decided' : 'declared', origin.now);
  return recordWithdrawalEvent(withdrawal, type, origin).event;
}

/** The test event of something other than a payment; undefined for other types. */
function sampleNotice(type: EventType, origin: { id: string; now: string }): DomainEvent | undefined {
  if (type.startsWith('tax_threshold.')) {
    const level = type === 'tax_threshold.passed' ? 'passed' : 'near';
    return recordThresholdEvent(sampleThreshold(level, origin.now), origin);
  }
  if (type.startsWith('code_pool.'))
    return recordPoolEvent(samplePool(type === 'code_pool.ran_out' ? 'empty' : 'low'), origin);
  return type === 'checkout_session.expired' ? recordExpiryEvent(sampleExpiry(origin.now), origin) : undefined;
}

const grantStatusOf = { created: 'pending', delivered: 'delivered', failed: 'failed', revoked: 'revoked' } as const;

/** The test event of a grant or its licence key; undefined for other types. */
function sampleGrantEvent(type: EventType, origin: { id: string; now: string }): DomainEvent | undefined {
  if (type === 'license_key.created') {
    const view = sampleGrant('delivered', origin.now);
    return view.key && recordKeyEvent(view, view.key, origin).event;
  }
  const status = Object.entries(grantStatusOf).find(([name]) => type === `entitlement_grant.${name}`)?.[1];
  if (!status) return undefined;
  const told = type as Extract<EventType, `entitlement_grant.${string}`>;
  return recordGrantEvent(sampleGrant(status, origin.now), told, origin).event;
}
