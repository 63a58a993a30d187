import { env } from '../../shared/env.ts';
import { notificationEndpoint } from '../../shared/http/notification-endpoint.ts';
import { reportRefused } from '../../shared/use-cases/alerts/report-notifications.ts';
import { followHint } from '../../shared/use-cases/payments/follow-hint.ts';
import { followPayout } from '../../shared/use-cases/payouts/follow-payouts.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import {
  accountBooks,
  accountPayouts,
  everythingButNotifications,
  notifications,
} from '../../shared/wiring/processor.ts';
import {
  countedPayments,
  disputes,
  dueRows,
  newId,
  now,
  payouts,
  sessions,
  throttles,
} from '../../shared/wiring/runtime.ts';

const stores = { payments: countedPayments(), sessions: sessions(), disputes: disputes(), due: dueRows() };
const money = { processor: everythingButNotifications(), alert: alertMoney };
const probing = { throttles: throttles() };
const paidOut = accountPayouts();
const deps = {
  ...stores,
  ...money,
  ...probing,
  records: accountBooks()?.records,
  merchantId: env.merchant().id,
  now,
  newId,
  followPayout: followPayoutNow,
};

/** A function has ten seconds. The daily comparison reads on in a payout that is too large for them. */
const payoutMs = 4_000;

async function followPayoutNow(id: string): Promise<void> {
  const until = performance.now() + payoutMs;
  if (paidOut) await followPayout({ ...deps, ...paidOut, payouts: payouts() }, id, () => performance.now() < until);
}

/** Receives notifications of a payment processor. Each processor has its own route. */
export const handler = notificationEndpoint(notifications(), {
  follow: (hint) => followHint(deps, hint),
  refused: (error) => reportRefused(deps, error),
});
