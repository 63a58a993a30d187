import { dayMs, hourMs } from '../domain/duration.ts';
import { clamp } from '../domain/money/money.ts';
import type { DueRow, DueStore } from '../store/events/due-store.ts';
import { type ExpireCheckoutDeps, expireCheckout } from './checkout/expire-checkout.ts';
import { type CheckHoldDeps, checkHold } from './discounts/check-hold.ts';
import { type SettleGrantsDeps, settleGrantDuty } from './entitlements/settle-grants.ts';
import { countHomeSale } from './payments/count-home-sale.ts';
import { type ReviewPaymentDeps, reviewPayment } from './payments/review-payment.ts';
import { settleKnownDispute } from './payments/settle-dispute.ts';
import { settlePayment, type Unfinished } from './payments/settle-payment.ts';
import { type SettleRefundDeps, settleRefund } from './payments/settle-refund.ts';
import { orReport, type RepublishEventsDeps, republishEvents, type WaitedEvents } from './republish-events.ts';
import { takeInTurn } from './take-in-turn.ts';
import { type RecheckTaxIdDeps, recheckTaxId } from './tax-ids/recheck-tax-id.ts';
import { type SweepDeliveriesDeps, sweepDeliveries } from './webhooks/sweep-deliveries.ts';

interface SweepDueDeps
  extends SweepDeliveriesDeps,
    RepublishEventsDeps,
    ReviewPaymentDeps,
    SettleRefundDeps,
    ExpireCheckoutDeps,
    CheckHoldDeps,
    Omit<SettleGrantsDeps, 'payments' | 'newId'>,
    Omit<RecheckTaxIdDeps, 'newId' | 'payments' | 'processor'> {
  due: DueStore;
  settleWithdrawal: (id: string) => Promise<void>;
  payments: ReviewPaymentDeps['payments'] & RecheckTaxIdDeps['payments'] & CheckHoldDeps['payments'];
  sessions: ReviewPaymentDeps['sessions'] & ExpireCheckoutDeps['sessions'];
  newId: RecheckTaxIdDeps['newId'] & SettleGrantsDeps['newId'];
  processor: ReviewPaymentDeps['processor'] & SettleRefundDeps['processor'];
}

/** The most rows that one sweep reads of each partition. */
const mostRows = 1_000;
/** After how many seconds a failed row is tried again. In between, the rows behind it are done. */
const failedSeconds = 60;
/** After how many seconds a reserved use of a code is checked again if its payment is still open. */
const openHoldSeconds = 3_600;
/** After how many seconds a grant that waits for a code of an empty pool is checked again. */
const emptyPoolSeconds = 900;
/**
 * The longest pause between two requests about an open dispute. A dispute takes weeks, and the processor also reports
 * its changes.
 */
const disputeMs = dayMs;
/** How many rows of one kind are done at the same time. */
const atOnce = 8;

interface Swept extends WaitedEvents {
  /** Payments, refunds and disputes for which the processor gave no answer, or one that contradicts our records. */
  unansweredRows: number;
  /** Payments that should already have ended at the processor. */
  stuckPayments: number;
}

/** Does all work that is due. A row that fails is reported and stays due, and the other rows continue. */
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
    republishEvents(deps, of('event'), hasTime),
    takeInTurn(of('payment'), { atOnce, hasTime }, settling(settleOrReview)),
    takeInTurn(of('refund'), { atOnce, hasTime }, settling(settleRefund)),
    takeInTurn(of('session'), { atOnce, hasTime }, (row) => expireRow(deps, row)),
    takeInTurn(of('hold'), { atOnce, hasTime }, (row) => holdRow(deps, row)),
    takeInTurn(of('grants'), { atOnce, hasTime }, (row) => grantRow(deps, row)),
    takeInTurn(of('withdrawal'), { atOnce, hasTime }, (row) => withdrawalRow(deps, row)),
    takeInTurn(of('dispute'), { atOnce, hasTime }, settling(settleKnownDispute, disputeMs)),
    sweepDeliveries(deps, of('delivery'), remainingMs).catch((error) =>
      deps.report('The deliveries are left to the next sweep.', {}, error),
    ),
  ]);
  return { ...waited, unansweredRows, stuckPayments };
}

/** Reads the ids of endpoints. If that fails, only deliveries have to wait for the next sweep. */
const endpointIds = (deps: SweepDueDeps): Promise<string[]> =>
  deps.webhooks.ids().catch((error): string[] => {
    deps.report('The endpoints cannot be read.', {}, error);
    return [];
  });

/** Settles a payment with the processor, or checks its tax id with the register. A payment can be due for both. */
const settleOrReview: Settle = async (deps, id) => {
  const unfinished = await settlePayment(deps, id);
  if (unfinished) return unfinished;
  const payment = await countHomeSale(deps, await deps.payments.get(id));
  await recheckTaxId(deps, payment);
  return reviewPayment(deps, payment);
};

type Settle = (deps: SweepDueDeps, id: string) => Promise<Unfinished | null>;

/**
 * When to ask about an unfinished row again. A row may have a set time. Otherwise, the pause is as long as the row has
 * been open, from 5 s up to `mostMs`. If an answer is announced for a certain time, the row is asked about by then.
 */
function nextAskAt({ openSince, askBy, askAt }: Unfinished, now: number, mostMs: number): number {
  if (askAt) return Date.parse(askAt);
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

/** Ends a reserved use of a code whose payment has ended. While the payment is open, it stays due. */
async function holdRow(deps: SweepDueDeps, row: DueRow): Promise<void> {
  const later = (seconds: number) =>
    deps.due.postpone(row, new Date(deps.now().getTime() + seconds * 1_000).toISOString());
  const checked = await orReport(deps, row, async () => {
    if (await checkHold(deps, row.id, row.discountId)) await later(openHoldSeconds);
  });
  if (!checked) await orReport(deps, row, async () => void (await later(failedSeconds)));
}

/** Expires a session. If that fails, the session waits a minute, so that the sessions behind it are done first. */
async function expireRow(deps: SweepDueDeps, row: DueRow): Promise<void> {
  const later = new Date(deps.now().getTime() + failedSeconds * 1_000).toISOString();
  if (!(await orReport(deps, row, () => expireCheckout(deps, row.id))))
    await orReport(deps, row, async () => void (await deps.due.postpone(row, later)));
}

/**
 * Issues or revokes the grants of a payment. If that fails, the other rows are done first. A grant that waits for a
 * code gets it from the import of codes. The sweep only helps if that import was interrupted.
 */
async function grantRow(deps: SweepDueDeps, row: DueRow): Promise<void> {
  const later = (seconds: number) =>
    deps.due.postpone(row, new Date(deps.now().getTime() + seconds * 1_000).toISOString());
  const settled = await orReport(deps, row, async () => {
    const { isWaiting } = await settleGrantDuty(deps, row.id);
    if (isWaiting) await later(emptyPoolSeconds);
  });
  if (!settled) await orReport(deps, row, async () => void (await later(failedSeconds)));
}

/** Does the due work of a withdrawal, such as a mail that could not be sent at the declaration. */
async function withdrawalRow(deps: SweepDueDeps, row: DueRow): Promise<void> {
  const settled = await orReport(deps, row, async () => {
    await deps.settleWithdrawal(row.id);
  });
  const later = new Date(deps.now().getTime() + failedSeconds * 1_000).toISOString();
  if (!settled) await orReport(deps, row, async () => void (await deps.due.postpone(row, later)));
}
