import * as z from 'zod';
import { chargeStatuses } from '../../domain/checkout/checkout-session.ts';
import { Delivery } from '../../domain/webhooks/delivery.ts';
import { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { noticeTypes } from '../../events/notices.ts';
import {
  answeredId,
  count,
  currency,
  instantText,
  link,
  metadataMap,
  pageOf,
  paidAmount,
  upTo,
} from '../answer-values.ts';
import { paymentAnswers } from '../payments/payment-answer.ts';
import { EventFilter } from './event-filter.ts';

const Webhook = z.strictObject({
  id: answeredId('whk'),
  url: link,
  description: upTo(500),
  metadata: z.record(z.string(), upTo(500)),
  created_at: instantText,
  updated_at: instantText,
  disabled: z.boolean(),
  disabled_reason: WebhookEndpoint.shape.disabled.unwrap().shape.reason.nullable(),
  disabled_at: instantText.nullable(),
  filter_types: z.array(EventFilter).max(60).nullable(),
  rate_limit: count.nullable(),
});

const WebhookAttempt = z.strictObject({
  at: instantText,
  http_status: z.int().min(100).max(599).nullable(),
  latency_ms: count,
  error: Delivery.shape.attempts.element.shape.error,
  response: z.string(),
});

const WebhookDelivery = z.strictObject({
  event_id: answeredId('evt'),
  webhook_id: answeredId('whk'),
  type: z.enum([...eventTypes, ...noticeTypes]),
  status: Delivery.shape.status,
  created_at: instantText,
  next_attempt_at: instantText.nullable(),
  attempts: z.array(WebhookAttempt).max(100),
});

const EventListItem = z.strictObject({
  event_id: answeredId('evt'),
  type: z.enum([...eventTypes, ...noticeTypes]),
  timestamp: instantText,
  payment_id: answeredId('pay').nullable(),
  sequence: count.nullable(),
});

/** Frozen when the change was committed, so it never has a step that a key could follow. */
const { Payment, Refund, Dispute } = paymentAnswers;
const PaymentEventData = z.strictObject({
  ...Payment.omit({ next_action: true }).shape,
  payload_type: z.literal('Payment'),
});
const RefundEventData = z.strictObject({
  ...Refund.shape,
  payload_type: z.literal('Refund'),
});
const TaxThresholdEventData = z.strictObject({
  threshold: upTo(10),
  level: z.enum(['near', 'passed']),
  amount: count,
  limit_amount: count,
  currency: upTo(3),
  sales: count,
  sales_limit: count.nullable(),
  counted_from: z.iso.date(),
  counted_to: z.iso.date(),
  payload_type: z.literal('TaxThreshold'),
});
const CheckoutSessionEventData = z.strictObject({
  checkout_session_id: answeredId('cks'),
  status: z.literal('expired'),
  created_at: instantText,
  expired_at: instantText,
  customer: z.strictObject({
    customer_id: answeredId('cus').nullable(),
    email: upTo(254),
    name: upTo(250),
    phone_number: upTo(30).nullable(),
  }),
  payment_id: answeredId('pay').nullable(),
  payment_status: z.enum(chargeStatuses).nullable(),
  currency,
  total_amount: paidAmount.nullable(),
  product_cart: z
    .array(
      z.strictObject({
        product_id: answeredId('pdt'),
        name: upTo(100),
        quantity: z.int().min(1).max(1_000_000),
        unit_amount: paidAmount.nullable(),
      }),
    )
    .max(20),
  discount_codes: z.array(upTo(16)).max(20),
  metadata: metadataMap,
  recovery_url: link,
  recovery_expires_at: instantText,
  payload_type: z.literal('CheckoutSession'),
});
const DisputeEventData = z.strictObject({ ...Dispute.shape, payload_type: z.literal('Dispute') });

const typesOf = (noun: string) => z.enum(eventTypes.filter((type) => type.startsWith(`${noun}.`)));

const eventOf = <Data extends z.ZodType>(noun: string, data: Data) =>
  z.strictObject({ business_id: upTo(31), type: typesOf(noun), timestamp: instantText, sequence: count, data });

/** The bodies that endpoints receive. */
export const eventBodies = {
  PaymentEvent: eventOf('payment', PaymentEventData),
  RefundEvent: eventOf('refund', RefundEventData),
  DisputeEvent: eventOf('dispute', DisputeEventData),
  TaxThresholdEvent: eventOf('tax_threshold', TaxThresholdEventData),
  CheckoutSessionEvent: eventOf('checkout_session', CheckoutSessionEventData),
};

/** Frozen bodies, of which an earlier version may not have had every field. */
const pastData = {
  PastPayment: PaymentEventData.partial(),
  PastRefund: RefundEventData.partial(),
  PastDispute: DisputeEventData.partial(),
};

const pastBody = z.union([
  eventOf('payment', pastData.PastPayment),
  eventOf('refund', pastData.PastRefund),
  eventOf('dispute', pastData.PastDispute),
  eventOf('tax_threshold', TaxThresholdEventData),
  eventOf('checkout_session', CheckoutSessionEventData),
]);

const NoticeBody = z.strictObject({
  type: z.enum(noticeTypes),
  timestamp: instantText,
  data: z.strictObject({
    webhook_id: answeredId('whk'),
    url: link,
    disabled_reason: WebhookEndpoint.shape.disabled.unwrap().shape.reason.nullable(),
  }),
});

/** What the routes of webhooks and their events answer, by the name in the contract. */
export const webhookAnswers = {
  Webhook,
  WebhookList: z.strictObject({
    data: z.array(Webhook).max(20),
    iterator: answeredId('whk').nullable(),
    prev_iterator: answeredId('whk').nullable(),
    done: z.boolean(),
  }),
  WebhookSecret: z.strictObject({ secret: z.string().regex(/^whsec_[A-Za-z0-9+/]{20,100}=*$/) }),
  WebhookHeaders: z.strictObject({
    headers: z.record(z.string(), upTo(1_000)),
    sensitive: z.array(upTo(100)).max(20),
  }),
  WebhookTest: z.strictObject({ event_id: answeredId('evt'), type: z.enum(eventTypes) }),
  WebhookRecovery: z.strictObject({ webhook_id: answeredId('whk'), recovered: count, has_more: z.boolean() }),
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryPage: pageOf(WebhookDelivery),
  EventListItem,
  EventPage: pageOf(EventListItem),
  PaymentEventData,
  RefundEventData,
  DisputeEventData,
  CheckoutSessionEventData,
  ...eventBodies,
  ...pastData,
  NoticeBody,
  Event: z.strictObject({
    ...EventListItem.shape,
    body: z.union([pastBody, NoticeBody]),
    deliveries: z
      .array(
        z.strictObject({
          webhook_id: answeredId('whk'),
          status: Delivery.shape.status,
          attempts: count,
          next_attempt_at: instantText.nullable(),
        }),
      )
      .max(100),
  }),
};
