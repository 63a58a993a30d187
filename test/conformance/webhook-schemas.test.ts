import * as dialect from '@dodopayments/core/schemas';
import DodoPayments from 'dodopayments';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { disputeStatuses } from '../../shared/domain/payments/payment.ts';
import { sampleExpiry } from '../../shared/domain/webhooks/sample-expiry.ts';
import { sampleDispute, samplePayment } from '../../shared/domain/webhooks/sample-payment.ts';
import { recordDisputeEvent, recordExpiryEvent } from '../../shared/events/catalogue.ts';
import { signatureHeader } from '../../shared/outside/webhooks/signature.ts';
import { freezeEvent } from '../../shared/wire/webhooks/event.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';
import { cards } from '../support/shop/cards.ts';
import { finishRefund } from '../support/shop/settle.ts';
import { sell } from '../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApiThroughSdk();
});
afterAll(() => api.stop());

const refund = (paymentId: string) =>
  api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500, reason: 'Damaged' } });

/** What each event tells, in the words of the framework adapters, which refuse a webhook that does not fit. */
const events = {
  'payment.succeeded': dialect.PaymentSucceededPayloadSchema,
  'payment.failed': dialect.PaymentFailedPayloadSchema,
  'payment.processing': dialect.PaymentProcessingPayloadSchema,
  'refund.succeeded': dialect.RefundSucceededPayloadSchema,
  'refund.failed': dialect.RefundFailedPayloadSchema,
};

/** The same of disputes. */
const disputeEvents = {
  'dispute.opened': dialect.DisputeOpenedPayloadSchema,
  'dispute.challenged': dialect.DisputeChallengedPayloadSchema,
  'dispute.accepted': dialect.DisputeAcceptedPayloadSchema,
  'dispute.expired': dialect.DisputeExpiredPayloadSchema,
  'dispute.won': dialect.DisputeWonPayloadSchema,
  'dispute.lost': dialect.DisputeLostPayloadSchema,
  'dispute.cancelled': dialect.DisputeCancelledPayloadSchema,
};

it.each(disputeStatuses)('the event dispute.%s passes the schemas of @dodopayments/core', (status) => {
  const at = '2026-03-01T12:00:00.000Z';
  const known = samplePayment('succeeded', at);
  const { event } = recordDisputeEvent(known, sampleDispute(status, at), { id: 'evt_1', now: at });
  const body = JSON.parse(freezeEvent({ businessId: 'demo', publicUrl: 'https://shop.example' })(event));
  expect(disputeEvents[`dispute.${status}`].safeParse(body).error?.issues ?? []).toEqual([]);
  const { payment_id: _, ...data } = body.data;
  expect(disputeEvents[`dispute.${status}`].safeParse({ ...body, data }).success).toBe(false);
});

it('the event checkout_session.expired, which only Tillstack sends, passes the client and its schemas', () => {
  const now = new Date();
  const event = recordExpiryEvent(sampleExpiry(now.toISOString()), { id: 'evt_1', now: now.toISOString() });
  const body = freezeEvent({ businessId: 'demo', publicUrl: 'https://shop.example' })(event);
  const key = `whsec_${Buffer.alloc(32, 'key').toString('base64')}`;
  const timestampSeconds = Math.floor(now.getTime() / 1_000);
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatureHeader({ id: 'evt_1', timestampSeconds, body: Buffer.from(body) }, [key]),
  };
  const client = new DodoPayments({ bearerToken: 'none' });
  expect(client.webhooks.unwrap(body, { headers, key })).toEqual(JSON.parse(body));
  expect(dialect.WebhookPayloadSchema.safeParse(JSON.parse(body)).success).toBe(true);
});

it('every event passes the schemas of @dodopayments/core', async () => {
  await refund((await sell(api)).paymentId);
  await sell(api, { card: cards.declined });
  await sell(api, { card: cards.slowSuccess });
  const failing = await refund((await sell(api, { card: cards.failingRefunds })).paymentId);
  await finishRefund(failing.body.refund_id);
  const { body } = await api.call('GET /webhook-events');
  const seen = new Set<string>();
  for (const { event_id, type } of body.items as { event_id: string; type: keyof typeof events }[]) {
    const event = await api.call(`GET /webhook-events/${event_id}`);
    const parsed = events[type].safeParse(event.body.body);
    expect({ type, issues: parsed.error?.issues ?? [] }).toEqual({ type, issues: [] });
    seen.add(type);
  }
  expect(seen).toEqual(new Set(Object.keys(events)));
});

it('an event without one of the required keys fails the schemas of @dodopayments/core', async () => {
  const { paymentId } = await sell(api);
  const { body } = await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` });
  const event = await api.call(`GET /webhook-events/${body.items[0].event_id}`);
  const { customer: _, ...data } = event.body.body.data;
  expect(dialect.PaymentSucceededPayloadSchema.safeParse({ ...event.body.body, data }).success).toBe(false);
});
