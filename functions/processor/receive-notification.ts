import { env } from '../../shared/env.ts';
import { notificationEndpoint } from '../../shared/http/notification-endpoint.ts';
import { alertMoney } from '../../shared/metrics.ts';
import { accountRecords, everythingButNotifications, notifications } from '../../shared/processor-runtime.ts';
import { countedPayments, disputes, dueRows, newId, now, sessions } from '../../shared/runtime.ts';
import { followHint } from '../../shared/use-cases/payments/follow-hint.ts';

const stores = { payments: countedPayments(), sessions: sessions(), disputes: disputes(), due: dueRows() };
const money = { processor: everythingButNotifications(), alert: alertMoney };
const deps = { ...stores, ...money, records: accountRecords(), merchantId: env.merchant().id, now, newId };

/** POST /processor/stripe */
export const handler = notificationEndpoint(notifications(), (hint) => followHint(deps, hint));
