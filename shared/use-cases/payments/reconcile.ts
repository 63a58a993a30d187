import { dayMs } from '../../domain/duration.ts';
import { describeError, logWarn } from '../../log.ts';
import type { Period } from '../../outside/processor/payment-processor.ts';
import type { AccountLacksStore } from '../../store/account-lacks-store.ts';
import type { Report } from '../webhooks/disable-webhook.ts';
import { type AdoptRefundDeps, adoptRefund } from './adopt-refund.ts';
import { adviceOn, type BookDifference, type FindDifferencesDeps, findDifferences } from './find-differences.ts';
import { noteFraudWarning } from './note-fraud-warning.ts';
import { revertRefund } from './revert-refund.ts';
import { type NoteFeeDeps, noteFee } from './review-payment.ts';
import { type SettleDisputeDeps, settleDispute } from './settle-dispute.ts';
import { type SettleLatePaymentDeps, settleLatePayment } from './settle-late-payment.ts';
import { settlePayment } from './settle-payment.ts';
import { settleRefund } from './settle-refund.ts';

type Settling = Omit<SettleDisputeDeps, 'newId'> & SettleLatePaymentDeps & Omit<AdoptRefundDeps, 'newId'> & NoteFeeDeps;

export interface ReconcileDeps extends Omit<Settling, 'payments' | 'disputes' | 'processor'> {
  payments: Settling['payments'] & FindDifferencesDeps['payments'];
  disputes: Settling['disputes'] & FindDifferencesDeps['disputes'];
  processor: Settling['processor'];
  books: Pick<FindDifferencesDeps, 'records' | 'processor'> & {
    /** The address for the processor's notifications. */
    notifyUrl: string;
  };
  lacks: Pick<AccountLacksStore, 'save'>;
  report: Report;
}

/**
 * How many days back the daily comparison reads charges. The next constant is for refunds and disputes, which can
 * change weeks after the payment.
 */
const chargeDays = 3;
const returnDays = 40;
/** Younger objects are not compared, because they may still be in progress. */
const graceMs = 15 * 60_000;

/** The periods to compare: charges of some days, and refunds and disputes of more days. Both end shortly before now. */
export function periodsUntil(now: Date): { charges: Period; returns: Period } {
  const end = now.getTime() - graceMs;
  const period = (days: number) => ({
    from: new Date(end - days * dayMs).toISOString(),
    to: new Date(end).toISOString(),
  });
  return { charges: period(chargeDays), returns: period(returnDays) };
}

/**
 * Compares the processor's account with our rows, raises an alarm for each difference, and settles the differences that
 * it can. A fee that is not known yet causes no alarm, and a fraud warning causes its own. Returns the number of differences.
 */
export async function reconcile(deps: ReconcileDeps): Promise<number> {
  await noteLacks(deps);
  let found = 0;
  const { payments, disputes } = deps;
  for await (const difference of findDifferences({ payments, disputes, ...deps.books }, periodsUntil(deps.now()))) {
    found += 1;
    const { kind, id, reference = '' } = difference;
    if (!isQuiet(kind)) deps.alert('books-differ', { difference: kind, id, reference, advice: adviceOn[kind] });
    await settle(deps, difference).catch((error) => deps.report('A difference is not settled.', { kind, id }, error));
  }
  return found;
}

/**
 * Stores for the dashboard which rights and events the account lacks, such as an account that was connected by 0.2.0.
 * Sales work without them, so neither a lack nor an error raises an alarm.
 */
async function noteLacks({ books, lacks, now }: ReconcileDeps): Promise<void> {
  try {
    await lacks.save({ ...(await books.records.lacks(books.notifyUrl)), at: now().toISOString() });
  } catch (error) {
    logWarn('the rights and events of the account are not known', describeError(error));
  }
}

/**
 * Whether a difference raises no alarm here. A missing fee arrives later automatically, and a fraud warning raises its
 * own alarm.
 */
const isQuiet = (kind: BookDifference['kind']): boolean => kind === 'fee-unknown' || kind === 'warning-behind';

async function settle(deps: ReconcileDeps, difference: BookDifference): Promise<void> {
  const { kind, id, reference = '' } = difference;
  if (kind === 'refund-foreign') return adoptRefund(deps, difference.found);
  if (kind === 'fee-unknown') return noteFee(deps, id);
  if (kind === 'warning-behind') return noteFraudWarning({ ...deps, records: deps.books.records }, reference);
  if (kind === 'dispute-behind') return void (await settleDispute(deps, reference));
  if (kind === 'refund-behind') {
    await settleRefund(deps, id);
    return revertRefund(deps, id);
  }
  if (kind === 'payment-behind') {
    await settlePayment(deps, id);
    return settleLatePayment(deps, id, reference);
  }
}
