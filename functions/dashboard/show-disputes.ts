import { disputePages } from '../../shared/dashboard/payments/dispute-pages.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { disputes } from '../../shared/wiring/runtime.ts';

const deps = { disputes: disputes() };

/** GET /dashboard/disputes */
export const handler = dashboard(disputePages(deps));
