import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { DisputeAdjustment } from '../../domain/disputes/dispute-adjustment.ts';
import { cancellationIdOf, correctedInvoiceIdOf } from '../../domain/documents/document-id.ts';
import { hourMs } from '../../domain/duration.ts';
import { givesSomething, grantsOwedBy } from '../../domain/entitlements/grant.ts';
import { paymentIdOf } from '../../domain/ids.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import type { IssuedDocument } from '../../domain/reports/timeline.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { isNumberedByPayment } from '../../events/catalogue.ts';
import type { EventRow } from '../../events/recorded-event.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import type { DeliveryStore } from '../../store/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';

export interface LoadPaymentOverviewDeps {
  payments: Pick<PaymentStore, 'find' | 'get' | 'getRefund'>;
  sessions: Pick<SessionStore, 'find'>;
  disputes: Pick<DisputeStore, 'find'>;
  documents: Pick<DocumentStore, 'find'>;
  events: Pick<EventStore, 'list'>;
  deliveries: Pick<DeliveryStore, 'ofEvent'>;
  webhooks: Pick<WebhookStore, 'all'>;
}

/** A payment, its session and documents, its events, and the endpoints that were notified. */
export interface PaymentOverview {
  payment: Payment;
  /** The newest fifty refunds, newest first. */
  refunds: readonly Refund[];
  /** The changes of the taxed amount by lost disputes. */
  adjustments: readonly DisputeAdjustment[];
  /** The session; undefined if it was removed. */
  session: CheckoutSession | undefined;
  /** The newest other payments of the session. */
  attempts: readonly Payment[];
  /** The documents of the payment, its newest refunds, and its disputes. */
  documents: readonly IssuedDocument[];
  /** The newest hundred events, in the order in which they occurred. */
  events: readonly { event: EventRow; deliveries: readonly Delivery[] }[];
  endpoints: readonly WebhookEndpoint[];
}

const mostRefunds = 50;
const mostEvents = 100;
const mostAttempts = 10;
const mostDocuments = 10;

export async function loadPaymentOverview(deps: LoadPaymentOverviewDeps, id: string): Promise<PaymentOverview> {
  const [payment, endpoints] = await Promise.all([deps.payments.get(id), deps.webhooks.all()]);
  const adjustments = await loadAdjustments(deps, payment);
  const [{ session, attempts }, documents] = await Promise.all([
    loadSession(deps, payment),
    loadDocuments(deps, payment, adjustments),
  ]);
  const refunds = await Promise.all(
    payment.refunds.slice(-mostRefunds).map((summary) => deps.payments.getRefund(summary.id)),
  );
  const ends = [...refunds.map(({ updatedAt }) => updatedAt), ...adjustments.map(({ bookedAt }) => bookedAt)];
  const events = (await eventsOf(deps, payment, ends)).slice(-mostEvents);
  const withDeliveries = await Promise.all(
    events.map(async (event) => ({ event, deliveries: await deps.deliveries.ofEvent(event.id) })),
  );
  const sold = { payment, session, attempts, documents, adjustments };
  return { ...sold, refunds: refunds.toReversed(), events: withDeliveries, endpoints };
}

/** Reads the adjustments of a payment's disputes. For a payment without disputes, it reads nothing. */
async function loadAdjustments({ disputes }: LoadPaymentOverviewDeps, payment: Payment): Promise<DisputeAdjustment[]> {
  const found = await Promise.all(payment.disputes.map(({ id }) => disputes.find(id)));
  return found.flatMap((dispute) => dispute?.adjustments ?? []);
}

/** Reads the session, and the other attempts to pay it. */
async function loadSession({ sessions, payments }: LoadPaymentOverviewDeps, { id, sessionId }: Payment) {
  const session = await sessions.find(sessionId);
  const numbers = Array.from({ length: session?.attempts ?? 0 }, (_, index) => index + 1);
  const others = numbers.map((number) => paymentIdOf(sessionId, number)).filter((other) => other !== id);
  const found = await Promise.all(others.slice(-mostAttempts).map((other) => payments.find(other)));
  return { session, attempts: found.filter((one) => one !== undefined) };
}

/** Reads the issued documents, each with its mails. */
async function loadDocuments(
  { documents }: LoadPaymentOverviewDeps,
  payment: Payment,
  adjustments: readonly DisputeAdjustment[],
): Promise<IssuedDocument[]> {
  const refunds = payment.refunds.slice(-mostDocuments).flatMap((refund) => subjectsOf(payment, refund));
  const undone = adjustments.filter(({ ground }) => ground === 'rescinded').map(({ id }) => id);
  const subjects = payment.status === 'succeeded' ? [payment.id, ...refunds, ...undone] : [];
  const filed = await Promise.all(subjects.map((subject) => documents.find(subject)));
  return filed.flatMap(({ document, mail }, index) => {
    const subjectId = subjects[index] ?? payment.id;
    return document ? [{ subjectId, number: document.number, issuedAt: document.issuedAt, mails: mail.notes }] : [];
  });
}

/**
 * The documents that a refund may have: its credit note, the new invoice that corrects the first one, and the document
 * that cancels them. A refund that failed may have had all of them.
 */
function subjectsOf({ correction }: Payment, { id, status }: Payment['refunds'][number]): string[] {
  const hasFailed = status === 'failed';
  return [
    id,
    ...(hasFailed || correction?.refundId === id ? [correctedInvoiceIdOf(id)] : []),
    ...(hasFailed ? [cancellationIdOf(id)] : []),
  ];
}

/** How long after the start of a payment its end is searched for, if the row does not store the time of the end. */
const settlesWithinMs = 2 * hourMs;

/**
 * Finds a payment's events. Events are listed only by time. So the search covers the start and the last change of the
 * payment, the end of each refund, and each adjustment of a dispute. For slow payments and for grants, the time is not
 * stored, so the search also covers the time after the start.
 */
async function eventsOf(deps: LoadPaymentOverviewDeps, payment: Payment, ends: readonly string[]): Promise<EventRow[]> {
  const { createdAt, updatedAt } = payment;
  const instants = new Set([createdAt, updatedAt, ...ends]);
  const found = await Promise.all([...instants].map((at) => eventsBetween(deps, payment, at, at)));
  const unique = new Map(found.flat().map((event) => [event.id, event]));
  const isComplete = [...unique.values()].filter(isNumberedByPayment).length >= payment.events;
  if (!isComplete || givesSomething(payment)) {
    const until = new Date(Date.parse(createdAt) + settlesWithinMs).toISOString();
    for (const event of await eventsBetween(deps, payment, createdAt, until)) unique.set(event.id, event);
  }
  return [...unique.values()].sort(byTime);
}

/** Sorts by time. Events of one payment with the same time are sorted by their numbers. */
const byTime = (a: EventRow, b: EventRow): number =>
  a.occurredAt === b.occurredAt ? a.sequence - b.sequence : a.occurredAt < b.occurredAt ? -1 : 1;

/** The most events that a grant normally has: created, its key, delivered, revoked, given back. */
const eventsOfGrant = 5;

async function eventsBetween(
  deps: LoadPaymentOverviewDeps,
  payment: Payment,
  createdFrom: string,
  createdTo: string,
): Promise<EventRow[]> {
  const matches = (event: EventRow) => event.paymentId === payment.id;
  const everyEvent = {
    size: Math.max(1, payment.events + eventsOfGrant * grantsOwedBy(payment).length),
    skip: 0,
    after: undefined,
  };
  const { items } = await deps.events.list({ createdFrom, createdTo, matches }, everyEvent);
  return items;
}
