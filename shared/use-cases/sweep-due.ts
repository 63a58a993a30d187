import type { EventBus } from '../bus/event-bus.ts';
import { clamp } from '../domain/money.ts';
import type { DueRow, DueStore } from '../store/due-store.ts';
import type { RecordedEvent } from '../store/event-store.ts';
import { type SettlePaymentDeps, settlePayment } from './settle-payment.ts';
import { type SettleRefundDeps, settleRefund } from './settle-refund.ts';
import { takeInTurn } from './sweep-at-once.ts';
import { type SweepDeliveriesDeps, sweepDeliveries } from './sweep-deliveries.ts';

export interface SweepDueDeps extends SweepDeliveriesDeps, SettlePaymentDeps, SettleRefundDeps {
  due: DueStore;
  bus: Pick<EventBus, 'publish'>;
  payments: SettlePaymentDeps['payments'] & SettleRefundDeps['payments'];
  processor: SettlePaymentDeps['processor'] & SettleRefundDeps['processor'];
}

/** What one sweep looks at in each partition. */
const mostRows = 1_000;
/** When an event that was published again is published once more, unless it has been dispatched. */
const republishSeconds = 60;
/** When what could not be settled is tried again: whoever waits behind it has had a turn by then. */
const failedSeconds = 60;
/** Rows of one kind that are worked on at the same time. */
const atOnce = 8;

/** Finishes whatever is due. A row that fails is reported and stays due; it keeps none of the others waiting. */
export async function sweepDue(deps: SweepDueDeps, remainingMs: () => number): Promise<{ oldestEventSeconds: number }> {
  const now = deps.now();
  const rows = await deps.due.list(now.toISOString(), mostRows, await endpointIds(deps));
  const of = (kind: DueRow['kind']) => rows.filter((row) => row.kind === kind);
  const hasTime = () => remainingMs() > 5_000;
  const [ages] = await Promise.all([
    republish(deps, of('event'), hasTime),
    takeInTurn(of('payment'), { atOnce, hasTime }, (row) => settleRow(deps, row, settlePayment)),
    takeInTurn(of('refund'), { atOnce, hasTime }, (row) => settleRow(deps, row, settleRefund)),
    sweepDeliveries(deps, of('delivery'), remainingMs).catch((error) =>
      deps.report('The deliveries are left to the next sweep.', {}, error),
    ),
  ]);
  return { oldestEventSeconds: Math.max(0, ...ages) };
}

/** Without them only the deliveries wait for the next sweep. */
const endpointIds = (deps: SweepDueDeps): Promise<string[]> =>
  deps.webhooks.ids().catch((error): string[] => {
    deps.report('The endpoints cannot be read.', {}, error);
    return [];
  });

/** Puts events on the bus again that nobody has dispatched; returns for how many seconds each has been waiting. */
async function republish(deps: SweepDueDeps, rows: readonly DueRow[], hasTime: () => boolean): Promise<number[]> {
  const now = deps.now().getTime();
  const until = new Date(now + republishSeconds * 1_000).toISOString();
  const waitingSince = new Map(rows.map((row) => [row.id, row.at]));
  const claimed: RecordedEvent[] = [];
  await takeInTurn(rows, { atOnce, hasTime }, (row) =>
    orReport(deps, row, async () => {
      const event = await deps.events.find(row.id);
      if (!event) return;
      waitingSince.set(event.id, event.occurredAt);
      if (await deps.due.postpone(row, until)) claimed.push(event);
    }),
  );
  const refused = await deps.bus.publish(claimed);
  for (const { event, reason } of refused) deps.report('The bus refused an event.', { eventId: event.id }, reason);
  return [...waitingSince.values()].map((since) => (now - Date.parse(since)) / 1_000);
}

type Settle = (deps: SweepDueDeps, id: string) => Promise<{ openSince: string } | null>;

/** What the processor has not finished is asked for again after as long as it has been open: 5 s at first, an hour at last. */
async function settleRow(deps: SweepDueDeps, row: DueRow, settle: Settle): Promise<void> {
  const now = deps.now().getTime();
  const later = (delayMs: number) => deps.due.postpone(row, new Date(now + delayMs).toISOString());
  const isSettled = await orReport(deps, row, async () => {
    const unfinished = await settle(deps, row.id);
    if (unfinished) await later(clamp(now - Date.parse(unfinished.openSince), 5_000, 3_600_000));
  });
  if (!isSettled) await orReport(deps, row, async () => void (await later(failedSeconds * 1_000)));
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
