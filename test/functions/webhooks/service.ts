import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { startLocalTable } from '../../../infra/local/local-table.ts';
import { localAws } from '../../../infra/local-aws/local-aws.ts';
import type { AttemptOutcome } from '../../../shared/domain/webhooks/delivery.ts';
import { samplePayment } from '../../../shared/domain/webhooks/sample-payment.ts';
import {
  createEndpoint,
  type NewWebhookEndpoint,
  toSecret,
  type WebhookEndpoint,
} from '../../../shared/domain/webhooks/webhook.ts';
import type { WebhookRequest } from '../../../shared/domain/webhooks/webhook-request.ts';
import { type EventType, recordPaymentEvent } from '../../../shared/events/catalogue.ts';
import type { EventBus, RefusedEvent } from '../../../shared/events/event-bus.ts';
import type { RecordedEvent } from '../../../shared/events/recorded-event.ts';
import { sandboxPayments } from '../../../shared/outside/processor/sandbox/sandbox-processor.ts';
import { useStore } from '../../../shared/store/discounts/use-store.ts';
import { entitlementStore } from '../../../shared/store/entitlements/entitlement-store.ts';
import { grantStore } from '../../../shared/store/entitlements/grant-store.ts';
import { licenseKeyStore } from '../../../shared/store/entitlements/license-key-store.ts';
import { poolStore } from '../../../shared/store/entitlements/pool-store.ts';
import { dueStore } from '../../../shared/store/events/due-store.ts';
import { eventStore, eventWrite } from '../../../shared/store/events/event-store.ts';
import { disputeStore } from '../../../shared/store/payments/dispute-store.ts';
import { expiryStore } from '../../../shared/store/payments/expiry-store.ts';
import { paymentStore } from '../../../shared/store/payments/payment-store.ts';
import { sessionStore } from '../../../shared/store/payments/session-store.ts';
import type { Table } from '../../../shared/store/table/table.ts';
import { commit } from '../../../shared/store/table/transaction.ts';
import { deliveryStore } from '../../../shared/store/webhooks/delivery-store.ts';
import { webhookHealthStore } from '../../../shared/store/webhooks/webhook-health-store.ts';
import { webhookStore } from '../../../shared/store/webhooks/webhook-store.ts';
import { sweepDue } from '../../../shared/use-cases/sweep-due.ts';
import { dispatchEvents } from '../../../shared/use-cases/webhooks/dispatch-events.ts';
import { freezeEvent } from '../../../shared/wire/webhooks/event.ts';
import { world } from '../../../shared/wiring/runtime.ts';
import { refundStep, taxSettings } from '../../../shared/wiring/selling.ts';
import { inTurn, times } from '../../support/seeded.ts';

const hour = 3_600_000;

export const taken: AttemptOutcome = { status: 200, error: null, latencyMs: 1, answer: 'ok', retryAfter: null };
export const failed = (status: number, retryAfter: string | null = null): AttemptOutcome => ({
  ...taken,
  status,
  error: 'status',
  retryAfter,
});
export const timedOut: AttemptOutcome = { ...taken, status: null, error: 'timeout', answer: '' };

type TestReceiver = (request: WebhookRequest, nth: number) => AttemptOutcome | Promise<AttemptOutcome>;

const freeze = freezeEvent({ businessId: 'demo', publicUrl: 'https://pay.example.com' });

/** The real stores and use cases over a table of their own; the clock, the bus and the receivers are the test's. */
export async function startService(receiver: TestReceiver = () => taken) {
  const local = await startLocalTable();
  const client = new DynamoDBClient({
    endpoint: local.endpoint,
    region: localAws.region,
    credentials: localAws,
    maxAttempts: 1,
  });
  const table: Table = {
    name: local.tableName,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
  local.connect(table.client);
  const clock = { at: new Date('2026-03-01T12:00:00.000Z') };
  const forward = (milliseconds: number) => {
    clock.at = new Date(clock.at.getTime() + milliseconds);
  };
  const sent: WebhookRequest[] = [];
  const reports: string[] = [];
  const published: RecordedEvent[] = [];
  const toIssue: RecordedEvent[] = [];
  const takenBy =
    (list: RecordedEvent[]) =>
    async (events: readonly RecordedEvent[]): Promise<RefusedEvent[]> => {
      list.push(...events);
      return [];
    };
  const publish: EventBus['publish'] = takenBy(published);
  const service = { receiver, publish, issue: takenBy(toIssue), queued: 0 };
  /** A receiver is not the function that sends to it: what it does needs no permission of that function. */
  const outside = AsyncLocalStorage.snapshot();
  const deps = {
    events: eventStore(table),
    webhooks: webhookStore(table),
    health: webhookHealthStore(table),
    deliveries: deliveryStore(table),
    due: dueStore(table),
    payments: { ...paymentStore(table, freeze), ...useStore(table) },
    sessions: sessionStore(table),
    disputes: disputeStore(table, freeze),
    expiries: expiryStore(table, freeze),
    entitlements: entitlementStore(table),
    grants: grantStore(table, freeze),
    licenseKeys: licenseKeyStore(table),
    pool: poolStore(table),
    newBytes: randomBytes,
    processor: sandboxPayments({ now: () => clock.at }),
    alert: () => {},
    askAgain: async () => undefined,
    settleWithdrawal: async () => {},
    taxSettings,
    refundStep,
    isAutomatic: false,
    bus: { publish: (...asked: Parameters<EventBus['publish']>) => service.publish(...asked) },
    documentQueue: {
      send: (events: readonly RecordedEvent[]) => service.issue(events),
      waiting: async () => service.queued,
    },
    send: async (request: WebhookRequest) => {
      sent.push(request);
      return outside(() => service.receiver(request, sent.length));
    },
    now: () => clock.at,
    newId: world.newId,
    random: () => 0.5,
    pause: async (milliseconds: number) => forward(milliseconds),
    speed: 1,
    report: (message: string, fields: Record<string, unknown>, error?: unknown) =>
      void reports.push(`${message} ${JSON.stringify(fields)} ${error}`),
    countDisabled: () => void reports.push('counted as disabled'),
  };

  const addEndpoint = async (fields: Partial<NewWebhookEndpoint> = {}): Promise<WebhookEndpoint> => {
    const id = world.newId('whk');
    const base = {
      url: `https://${id.slice(4).toLowerCase()}.example.com/hook`,
      description: '',
      filterTypes: null,
      headers: {},
    };
    const secret = toSecret(world.randomBytes(32));
    const endpoint = createEndpoint(
      { ...base, metadata: {}, rateLimit: null, isDisabled: false, ...fields },
      { id, now: clock.at.toISOString(), secret },
    );
    await deps.webhooks.create(endpoint, await deps.webhooks.count(), []);
    return endpoint;
  };

  /** Commits the event of a payment, as a charge does. */
  const commitEvent = async (type: EventType = 'payment.succeeded'): Promise<string> => {
    const id = world.newId('evt');
    const status = type.slice('payment.'.length) as 'processing' | 'succeeded' | 'failed';
    const payment = { ...samplePayment(status, clock.at.toISOString()), id: world.newId('pay') };
    const { event } = recordPaymentEvent(payment, { id, now: clock.at.toISOString() });
    await commit(table, [eventWrite(event, freeze(event))]);
    return id;
  };

  const minute = () => 60_000;
  return {
    table,
    endpoint: local.endpoint,
    call: local.call,
    clock,
    forward,
    sent,
    reports,
    published,
    toIssue,
    service,
    deps,
    addEndpoint,
    commitEvent,
    commitEvents: (count: number): Promise<string[]> => inTurn(times(count), 16, () => commitEvent()),
    dispatch: async (eventId: string) => {
      const done: { isFirst: boolean }[] = [];
      await dispatchEvents(deps, [eventId], minute, (one) => done.push(one));
      return { isFirst: done.some(({ isFirst }) => isFirst) };
    },
    /** Hands over events that share an entry of the bus, and says which are done. */
    dispatchTogether: async (eventIds: readonly string[], done: string[] = []) => {
      const failure = await dispatchEvents(deps, eventIds, minute, ({ eventId }) => done.push(eventId)).then(
        () => undefined,
        (error: Error) => error.message,
      );
      return { done, failure };
    },
    sweep: () => sweepDue(deps, () => 100_000),
    /** Every delivery of these events. */
    deliveriesOf: async (eventIds: readonly string[]) =>
      (await inTurn(eventIds, 16, (id) => deps.deliveries.ofEvent(id))).flat(),
    stop: () => local.stop(),
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;

export const hours = (count: number): number => count * hour;
