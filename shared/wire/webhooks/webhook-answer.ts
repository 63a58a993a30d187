import * as z from 'zod';
import { Delivery } from '../../domain/webhooks/delivery.ts';
import { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { noticeTypes } from '../../events/notices.ts';
import { always } from '../answers/always.ts';
import { common } from '../answers/fields.ts';
import { answeredId, count, currency, instantText, link, pageOf, paidAmount, upTo } from '../answers/values.ts';
import { webhookConstants } from '../constants.ts';
import { entitlementAnswers } from '../entitlements/entitlement-answer.ts';
import { licenseAnswers } from '../entitlements/license-answer.ts';
import { paymentAnswers } from '../payments/payment-answer.ts';
import { AcceptedConfirmation } from '../withdrawal/right-answer.ts';
import { withdrawalAnswers } from '../withdrawal/withdrawal-answer.ts';
import { EventFilter } from './event-filter.ts';

const Webhook = z.strictObject({
  id: answeredId('whk').describe('The id.'),
  url: link.describe('Where events are sent.'),
  description: upTo(500).describe('A text for people.'),
  metadata: z.record(z.string(), upTo(500)).describe('Your own data: at most 50 keys with strings.'),
  created_at: common.created_at,
  updated_at: common.updated_at,
  disabled: z.boolean().describe('Whether the endpoint receives nothing.'),
  disabled_reason: WebhookEndpoint.shape.disabled
    .unwrap()
    .shape.reason.nullable()
    .describe('Why it is disabled: by the `merchant`, `gone` (it answered 410) or `failing` for days.'),
  disabled_at: instantText.nullable().describe('Since when the endpoint is disabled; null where it is not.'),
  filter_types: z
    .array(EventFilter)
    .max(60)
    .nullable()
    .describe(
      'The event types that the endpoint wants, or families such as `payment.*`. Null: all types of the dialect. Types that only this service has are sent to endpoints that name them, or a family of such types alone, such as `withdrawal.*`. Endpoints of version 0.2.0 without a filter keep `checkout_session.expired`, `tax_threshold.approached` and `tax_threshold.passed`.',
    ),
  ...always(webhookConstants, { rate_limit: 'an endpoint that answers 429 or 503 gets the event again later' }),
});

const WebhookAttempt = z.strictObject({
  at: instantText.describe('When the attempt was made.'),
  http_status: z
    .int()
    .min(100)
    .max(599)
    .nullable()
    .describe('The status that the endpoint answered; null where it did not answer.'),
  latency_ms: count.describe('How long the answer took, in milliseconds.'),
  error: Delivery.shape.attempts.element.shape.error.describe(
    'Why the attempt failed; null where it succeeded. `status` means an answer outside of 2xx.',
  ),
  response: z.string().describe('The first kilobyte of what the endpoint answered.'),
});

const WebhookDelivery = z.strictObject({
  event_id: common.event_id,
  webhook_id: common.webhook_id,
  type: z.enum([...eventTypes, ...noticeTypes]).describe('The event type.'),
  status: Delivery.shape.status.describe('`pending`, `delivered`, `exhausted` after ten attempts, or `cancelled`.'),
  created_at: common.created_at,
  next_attempt_at: instantText.nullable().describe('When the next attempt is made; null where none follows.'),
  attempts: z.array(WebhookAttempt).max(100).describe('Every attempt, the first one first.'),
});

const EventListItem = z.strictObject({
  event_id: common.event_id,
  type: z.enum([...eventTypes, ...noticeTypes]).describe('The event type.'),
  timestamp: common.timestamp,
  payment_id: answeredId('pay').nullable().describe('The id of the payment.'),
  sequence: count
    .nullable()
    .describe(
      'Counts the events of one payment, or of one grant, from 1. Order by it: deliveries may overtake each other.',
    ),
});

/**
 * The objects in the bodies, as they were when the change was committed. They never contain a next step, because a key
 * that reads an event must not be able to pay.
 */
const { Payment, Refund, Dispute } = paymentAnswers;
const PaymentEventData = z.strictObject({
  ...Payment.omit({ next_action: true }).shape,
  payload_type: z.literal('Payment').describe('What `data` is.'),
});
const RefundEventData = z.strictObject({
  ...Refund.shape,
  payload_type: z.literal('Refund').describe('What `data` is.'),
});
const TaxThresholdEventData = z.strictObject({
  threshold: upTo(10).describe('The limit of registration: `EU`, a country such as `NO`, or a state such as `US-TX`.'),
  level: z.enum(['near', 'passed']).describe('`near`: 80 % of the limit is used up. `passed`: all of it.'),
  amount: count.describe('What the sales that count come to, in minor units of the limit’s currency.'),
  limit_amount: count.describe('The limit, in minor units of its currency. 0: from the first sale.'),
  currency: upTo(3).describe('The currency, ISO 4217.'),
  sales: count.describe('The number of sales that count.'),
  sales_limit: count.nullable().describe('The limit of the number of sales; null if there is none.'),
  counted_from: z.iso.date().describe('The first day that counts.'),
  counted_to: z.iso.date().describe('The last day that counts.'),
  payload_type: z.literal('TaxThreshold').describe('What `data` is.'),
});
const CodePoolEventData = z.strictObject({
  entitlement_id: answeredId('ent').describe('The id of the entitlement that gives the codes.'),
  entitlement_name: common.name,
  product_id: common.product_id,
  level: z
    .enum(['low', 'empty'])
    .describe('`low`: the last ten codes, or the last tenth of the latest import. `empty`: a sale waits for a code.'),
  free: count.describe('How many codes nobody has.'),
  waiting: count.describe('How many sales wait for a code.'),
  payload_type: z.literal('CodePool').describe('What `data` is.'),
});
const CheckoutSessionEventData = z.strictObject({
  checkout_session_id: common.checkout_session_id,
  status: z.literal('expired').describe('The status.'),
  created_at: common.created_at,
  expired_at: instantText.describe('When the checkout expired, in UTC.'),
  customer: z
    .strictObject({
      customer_id: answeredId('cus')
        .nullable()
        .describe('The id of the customer. One normalized e-mail address is one customer.'),
      email: common.email,
      name: upTo(250).describe('The name.'),
      phone_number: upTo(30).nullable().describe('The phone number; null where it is unknown.'),
    })
    .describe('The buyer.'),
  payment_id: answeredId('pay').nullable().describe('The id of the payment.'),
  payment_status: common.payment_status,
  currency: currency.describe('The currency, ISO 4217.'),
  total_amount: paidAmount.nullable().describe('The total in minor units, tax included.'),
  product_cart: z
    .array(
      z.strictObject({
        product_id: common.product_id,
        name: common.name,
        quantity: common.quantity,
        unit_amount: paidAmount
          .nullable()
          .describe('The displayed price of one unit, or the amount that the buyer chose, in minor units.'),
      }),
    )
    .max(20)
    .describe('What is bought.'),
  discount_codes: common.discount_codes,
  metadata: common.metadata,
  recovery_url: link
    .nullable()
    .describe(
      'Where the buyer can order the same again. Opening it changes nothing. Null if the session was ended by the API.',
    ),
  recovery_expires_at: instantText.nullable().describe('Until when that is possible, in UTC. Null without an address.'),
  payload_type: z.literal('CheckoutSession').describe('What `data` is.'),
});
const DisputeEventData = z.strictObject({
  ...Dispute.shape,
  payload_type: z.literal('Dispute').describe('What `data` is.'),
});

const GrantEventData = z.strictObject({
  ...entitlementAnswers.EntitlementGrant.shape,
  payload_type: z.literal('EntitlementGrant').describe('What `data` is.'),
});
const LicenseKeyEventData = z.strictObject({
  ...licenseAnswers.LicenseKey.shape,
  payload_type: z.literal('LicenseKey').describe('What `data` is.'),
});

const WithdrawalEventData = z.strictObject({
  ...withdrawalAnswers.Withdrawal.shape,
  payload_type: z.literal('Withdrawal').describe('What `data` is.'),
});

const ConfirmationEventData = z.strictObject({
  payment_id: answeredId('pay').describe('The id of the payment.'),
  ...AcceptedConfirmation.shape,
  payload_type: z.literal('Confirmation').describe('What `data` is.'),
});

const typesOf = (noun: string) => z.enum(eventTypes.filter((type) => type.startsWith(`${noun}.`)));

const eventOf = <Data extends z.ZodType>(noun: string, data: Data) =>
  z.strictObject({
    business_id: common.business_id,
    type: typesOf(noun).describe('The event type.'),
    timestamp: common.timestamp,
    sequence: count.describe(
      'Counts the events of one payment, or of one grant, from 1. Order by it: deliveries may overtake each other.',
    ),
    data: data.describe('The object as GET would have answered it when the change was committed.'),
  });

/** The bodies that endpoints receive. */
export const eventBodies = {
  PaymentEvent: eventOf('payment', PaymentEventData),
  RefundEvent: eventOf('refund', RefundEventData),
  InvoiceEvent: eventOf('invoice', PaymentEventData),
  DisputeEvent: eventOf('dispute', DisputeEventData),
  TaxThresholdEvent: eventOf('tax_threshold', TaxThresholdEventData),
  CheckoutSessionEvent: eventOf('checkout_session', CheckoutSessionEventData),
  EntitlementGrantEvent: eventOf('entitlement_grant', GrantEventData),
  LicenseKeyEvent: eventOf('license_key', LicenseKeyEventData),
  ConfirmationEvent: eventOf('confirmation', ConfirmationEventData),
  WithdrawalEvent: eventOf('withdrawal', WithdrawalEventData),
  CodePoolEvent: eventOf('code_pool', CodePoolEventData),
};

/** The objects in stored bodies. Fields that an earlier version did not have may be missing. */
const pastData = {
  PastPayment: PaymentEventData.partial(),
  PastRefund: RefundEventData.partial(),
  PastDispute: DisputeEventData.partial(),
};

const { PaymentEvent: _, RefundEvent: __, DisputeEvent: ___, ...otherBodies } = eventBodies;
const pastBody = z.union([
  eventOf('payment', pastData.PastPayment),
  eventOf('refund', pastData.PastRefund),
  eventOf('dispute', pastData.PastDispute),
  ...Object.values(otherBodies),
]);

const NoticeBody = z.strictObject({
  type: z.enum(noticeTypes).describe('The event type.'),
  timestamp: common.timestamp,
  data: z
    .strictObject({
      webhook_id: common.webhook_id,
      url: link.describe('An address.'),
      disabled_reason: WebhookEndpoint.shape.disabled
        .unwrap()
        .shape.reason.nullable()
        .describe('Why it is disabled: by the `merchant`, `gone` (it answered 410) or `failing` for days.'),
    })
    .describe('The object as GET would have answered it when the change was committed.'),
});

/** The answers of the routes for webhooks and their events, by their names in the contract. */
export const webhookAnswers = {
  Webhook,
  WebhookList: z.strictObject({
    data: z.array(Webhook).max(20).describe('The endpoints.'),
    iterator: answeredId('whk').nullable().describe('Where the next page begins; null on the last page.'),
    prev_iterator: answeredId('whk').nullable().describe('Where the page before begins; null on the first page.'),
    done: z.boolean().describe('Whether this is the last page.'),
  }),
  WebhookSecret: z.strictObject({
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{20,100}=*$/)
      .describe('The signing secret: `whsec_` and base64.'),
  }),
  WebhookHeaders: z.strictObject({
    headers: z.record(z.string(), upTo(1_000)).describe('Headers that every delivery carries, by name.'),
    sensitive: z.array(upTo(100)).max(20).describe('The names of headers whose values are not shown.'),
  }),
  WebhookTest: z.strictObject({ event_id: common.event_id, type: z.enum(eventTypes).describe('The event type.') }),
  WebhookRecovery: z.strictObject({
    webhook_id: common.webhook_id,
    recovered: count.describe('How many events are sent again.'),
    has_more: z.boolean().describe('Whether more events are to be sent: repeat the request.'),
  }),
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
    body: z
      .union([pastBody, NoticeBody])
      .describe('The body that endpoints receive, exactly as it was when the change was committed.'),
    deliveries: z
      .array(
        z.strictObject({
          webhook_id: common.webhook_id,
          status: Delivery.shape.status.describe('The status.'),
          attempts: count.describe('How many attempts were made.'),
          next_attempt_at: instantText.nullable().describe('When the next attempt is made; null where none follows.'),
        }),
      )
      .max(100)
      .describe('Where the event was sent.'),
  }),
};
export type CodePoolAnswer = Omit<z.input<typeof CodePoolEventData>, 'payload_type'>;
export type TaxThresholdAnswer = Omit<z.input<typeof TaxThresholdEventData>, 'payload_type'>;

export type WebhookAnswer<Name extends keyof typeof webhookAnswers> = z.input<(typeof webhookAnswers)[Name]>;
