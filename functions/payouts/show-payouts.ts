import { payoutPages } from '../../shared/dashboard/payouts/payout-pages.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { paymentLists, payouts } from '../../shared/wiring/runtime.ts';
import { namedProcessor } from '../../shared/wiring/selling.ts';

const deps = { payouts: payouts(), lists: paymentLists(), isPaidOut: namedProcessor() !== undefined };

/** GET /dashboard/payouts and /dashboard/payouts/{id} */
export const handler = dashboard(payoutPages(deps));
