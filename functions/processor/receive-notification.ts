import { env } from '../../shared/env.ts';
import { notificationEndpoint } from '../../shared/http/notification-endpoint.ts';
import { followHint } from '../../shared/use-cases/payments/follow-hint.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import { accountBooks, everythingButNotifications, notifications } from '../../shared/wiring/processor.ts';
import { countedPayments, disputes, dueRows, newId, now, sessions, throttles } from '../../shared/wiring/runtime.ts';

const stores = { payments: countedPayments(), sessions: sessions(), disputes: disputes(), due: dueRows() };
const probing = { throttles: throttles() };
const money = { processor: everythingButNotifications(), alert: alertMoney };
const deps = {
  ...stores,
  ...money,
  ...probing,
  records: accountBooks()?.records,
  merchantId: env.merchant().id,
  now,
  newId,
};

/** Receives notifications of a payment processor. Each processor has its own route. */
export const handler = notificationEndpoint(notifications(), (hint) => followHint(deps, hint));
