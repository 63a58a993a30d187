import { env } from '../../shared/env.ts';
import { notificationEndpoint } from '../../shared/http/notification-endpoint.ts';
import { chargesAndRefunds, notifications } from '../../shared/processor-runtime.ts';
import { dueRows, newId, now, payments, sessions } from '../../shared/runtime.ts';
import { followHint } from '../../shared/use-cases/payments/follow-hint.ts';

const stores = { payments: payments(), sessions: sessions(), due: dueRows() };
const deps = { ...stores, processor: chargesAndRefunds(), merchantId: env.merchant().id, now, newId };

/** POST /processor/stripe */
export const handler = notificationEndpoint(notifications(), (hint) => followHint(deps, hint));
