import type { Context, ScheduledEvent } from 'aws-lambda';
import { env } from '../../shared/env.ts';
import { reconcile } from '../../shared/use-cases/payments/reconcile.ts';
import { followPayouts } from '../../shared/use-cases/payouts/follow-payouts.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import { reportToOperator } from '../../shared/wiring/operator-report.ts';
import { accountBooks, accountPayouts, everythingButNotifications } from '../../shared/wiring/processor.ts';
import {
  accountLacks,
  countedPayments,
  disputes,
  newId,
  now,
  paymentLists,
  payouts,
  sessions,
} from '../../shared/wiring/runtime.ts';
import { worker } from '../../shared/wiring/worker.ts';

const stores = { payments: { ...countedPayments(), ...paymentLists() }, sessions: sessions(), disputes: disputes() };
const money = { processor: everythingButNotifications(), alert: alertMoney, report: reportToOperator };
const books = accountBooks();
const paidOut = accountPayouts();

/** No part of a payout is begun when less than this time is left. */
const leastMs = 20_000;

/**
 * Each day: compares the processor's account with our rows, and raises an alarm for each difference. Then reads which
 * sales the payouts of the account contain.
 */
export const handler = worker(async (_: ScheduledEvent, context: Context) => {
  if (books) await reconcile({ ...stores, ...money, books, lacks: accountLacks(), now, newId });
  const hasTime = () => context.getRemainingTimeInMillis() > leastMs;
  if (paidOut)
    await followPayouts({ ...stores, ...paidOut, payouts: payouts(), merchantId: env.merchant().id, now }, hasTime);
});
