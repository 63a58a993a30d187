import { dayMs, hourMs } from '../domain/duration.ts';
import { clamp } from '../domain/money/money.ts';
import type { DocumentQueue, EventBus } from '../events/event-bus.ts';
import type { RecordedEvent } from '../events/recorded-event.ts';
import type { DueRow, DueStore } from '../store/events/due-store.ts';
import { type ExpireCheckoutDeps, expireCheckout } from './checkout/expire-checkout.ts';
import { type WatchHoldsDeps, watchHolds } from './discounts/watch-holds.ts';
import { type ReviewPaymentDeps, reviewPayment } from './payments/review-payment.ts';
import { settleKnownDispute } from './payments/settle-dispute.ts';
import { settlePayment, type Unfinished } from './payments/settle-payment.ts';
import { type SettleRefundDeps, settleRefund } from './payments/settle-refund.ts';
import { takeInTurn } from './take-in-turn.ts';
import { type RecheckTaxIdDeps, recheckTaxId } from './tax-ids/recheck-tax-id.ts';
import { type SweepDeliveriesDeps, sweepDeliveries } from './webhooks/sweep-deliveries.ts';

interface SweepDueDeps
  extends SweepDeliveriesDeps,
    ReviewPaymentDeps,
    SettleRefundDeps,
    ExpireCheckoutDeps,
    WatchHoldsDeps,
    Omit<RecheckTaxIdDeps, 'newId' | 'payments' | 'processor'> {
  due: DueStore;
  bus: EventBus;
  documentQueue: DocumentQueue;
  payments: ReviewPaymentDeps['payments'] & RecheckTaxIdDeps['payments'] & WatchHoldsDeps['payments'];
  sessions: ReviewPaymentDeps['sessions'] & ExpireCheckoutDeps['sessions'];
  newId: RecheckTaxIdDeps['newId'];
  processor: ReviewPaymentDeps['processor'] & SettleRefundDeps['processor'];
}

/** What one sweep looks at in each partition. */
const mostRows = 1_000;
/** When an event that was published again is published once more, unless nothing is left to do for it. */
const republishSeconds = 60;
/** When an event that waits for its document only is published once more: after as long as it has waited, within the alarm's period. */
const laterSeconds = 240;
/** When a row that could not be settled is tried again. Rows behind it get their turn before that. */
const failedSeconds = 60;
/** The longest pause between two questions about an open dispute, which lasts weeks and whose changes the processor also reports. */
const disputeMs = dayMs;
/** Rows of one kind that are worked on at the same time. */
const atOnce = 8;

/** How long the oldest event has waited for its deliveries, and the oldest for its document. */
interface Waited {
  oldestEventSeconds: number;
  oldestDocumentSeconds: number;
}

interface Swept extends Waited {
  /** Payments, refunds and disputes about which the processor could not be asked, or contradicted our books. */
  unansweredRows: number;
  /** Payments that the processor should have ended by now. */
  stuckPayments: number;
}

/** Finishes all work that is due. A row that fails is reported and stays due; the others continue. */
export async function sweepDue(deps: SweepDueDeps, remainingMs: () => number): Promise<Swept> {
  const now = deps.now();
  const rows = await deps.due.list(now.toISOString(), mostRows, await endpointIds(deps));
  const of = (kind: DueRow['kind']) => rows.filter((row) => row.kind === kind);
  const hasTime = () => remainingMs() > 5_000;
  let unansweredRows = 0;
  let stuckPayments = 0;
  const settling =
    (settle: Settle, mostMs = hourMs) =>
    async (row: DueRow) => {
      const { isAnswered, isStuck } = await settleRow(deps, row, settle, mostMs);
      if (!isAnswered) unansweredRows += 1;
      if (isStuck) stuckPayments += 1;
    };
  const [waited] = await Promise.all([
    republish(deps, of('event'), hasTime),
    takeInTurn(of('payment'), { atOnce, hasTime }, settling(settleOrReview)),
    takeInTurn(of('refund'), { atOnce, hasTime }, settling(settleRefund)),
    takeInTurn(of('session'), { atOnce, hasTime }, (row) => expireRow(deps, row)),
    takeInTurn(of('holds'), { atOnce, hasTime }, (row) => watchRow(deps, row)),
    takeInTurn(of('dispute'), { atOnce, hasTime }, settling(settleKnownDispute, disputeMs)),
    sweepDeliveries(deps, of('delivery'), remainingMs).catch((error) =>
      deps.report('The deliveries are left to the next sweep.', {}, error),
    ),
  ]);
  return { ...waited, unansweredRows, stuckPayments };
}

/** Without them only the deliveries wait for the next sweep. */
const endpointIds = (deps: SweepDueDeps): Promise<string[]> =>
  deps.webhooks.ids().catch((error): string[] => {
    deps.report('The endpoints cannot be read.', {}, error);
    return [];
  });

/**
 * Puts events on the bus again, and in the queue of documents, for which something is left to do: the worker whose duty it is does it. Each goes
 * apart: one that the bus refuses, or on which the dispatcher dies, would be with the same others again each time. Returns how long they have waited.
 */
async function republish(deps: SweepDueDeps, rows: readonly DueRow[], hasTime: () => boolean): Promise<Waited> {
  const now = deps.now().getTime();
  const secondsSince = (instant: string) => (now - Date.parse(instant)) / 1_000;
  const waiting = new Map<string, Waited>(
    rows.map((row) => [row.id, waitingFor(deliveriesOnly, secondsSince(row.at))]),
  );
  const claimed: RecordedEvent[] = [];
  await takeInTurn(rows, { atOnce, hasTime }, (row) =>
    orReport(deps, row, async () => {
      const event = await deps.events.find(row.id);
      if (!event) return;
      const seconds = secondsSince(event.occurredAt);
      waiting.set(event.id, waitingFor(event.open, seconds));
      const until = new Date(now + 1_000 * pauseSeconds(event.open, seconds)).toISOString();
      if (await deps.due.postpone(row, until)) claimed.push(event);
    }),
  );
  const refusals = await Promise.all([deps.bus.publish(claimed, 'apart'), deps.documentQueue.send(claimed)]);
  for (const { event, reason } of refusals.flat())
    deps.report('An event could not be published again.', { event_id: event.id }, reason);
  return {
    oldestEventSeconds: Math.max(0, ...[...waiting.values()].map(({ oldestEventSeconds }) => oldestEventSeconds)),
    oldestDocumentSeconds: Math.max(
      0,
      ...[...waiting.values()].map(({ oldestDocumentSeconds }) => oldestDocumentSeconds),
    ),
  };
}

type Open = RecordedEvent['open'];

/** The duties of a row that cannot be read. */
const deliveriesOnly: Open = { deliveries: true, document: false };

const waitingFor = (open: Open, seconds: number): Waited => ({
  oldestEventSeconds: open.deliveries ? seconds : 0,
  oldestDocumentSeconds: open.document ? seconds : 0,
});

const pauseSeconds = (open: Open, waitedSeconds: number): number =>
  open.deliveries ? republishSeconds : clamp(waitedSeconds, republishSeconds, laterSeconds);

/** A payment is due for what the processor has to say, and for what a register of tax ids has. */
const settleOrReview: Settle = async (deps, id) => {
  const unfinished = await settlePayment(deps, id);
  if (unfinished) return unfinished;
  const payment = await deps.payments.get(id);
  await recheckTaxId(deps, payment);
  return reviewPayment(deps, payment);
};

type Settle = (deps: SweepDueDeps, id: string) => Promise<Unfinished | null>;

/** After as long as a row has been open: 5 s at first, `mostMs` at most. Not after the moment for which an answer is announced. */
function nextAskAt({ openSince, askBy }: Unfinished, now: number, mostMs: number): number {
  const next = now + clamp(now - Date.parse(openSince), 5_000, mostMs);
  const announced = askBy ? Date.parse(askBy) : 0;
  return announced > now ? Math.min(next, announced) : next;
}

/** Asks the processor again about an unfinished row. */
async function settleRow(deps: SweepDueDeps, row: DueRow, settle: Settle, mostMs: number) {
  const now = deps.now().getTime();
  const later = (until: number) => deps.due.postpone(row, new Date(until).toISOString());
  let isStuck = false;
  const isAnswered = await orReport(deps, row, async () => {
    const unfinished = await settle(deps, row.id);
    isStuck = unfinished?.isStuck ?? false;
    if (unfinished) await later(nextAskAt(unfinished, now, mostMs));
  });
  if (!isAnswered) await orReport(deps, row, async () => void (await later(now + failedSeconds * 1_000)));
  return { isAnswered, isStuck };
}

/** Ends holds that were left behind. The part stays due while others are open. */
async function watchRow(deps: SweepDueDeps, row: DueRow): Promise<void> {
  const later = (seconds: number) =>
    deps.due.postpone(row, new Date(deps.now().getTime() + seconds * 1_000).toISOString());
  const watched = await orReport(deps, row, async () => {
    const seconds = await watchHolds(deps, row.id, row.shard);
    if (seconds !== undefined) await later(seconds);
  });
  if (!watched) await orReport(deps, row, async () => void (await later(failedSeconds)));
}

/** Expires a session. One that cannot be gives way to those behind it for a minute. */
async function expireRow(deps: SweepDueDeps, row: DueRow): Promise<void> {
  const later = new Date(deps.now().getTime() + failedSeconds * 1_000).toISOString();
  if (!(await orReport(deps, row, () => expireCheckout(deps, row.id))))
    await orReport(deps, row, async () => void (await deps.due.postpone(row, later)));
}

/** Whether it went well. */
async function orReport(deps: SweepDueDeps, row: DueRow, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    deps.report('A due row is left to a later sweep.', { kind: row.kind, id: row.id }, error);
    return false;
  }
}
