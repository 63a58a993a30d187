import { dashboard } from '../../shared/dashboard/dashboard.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { overviewPage } from '../../shared/dashboard/reports/overview-page.ts';
import { now, paymentLists, payments, products } from '../../shared/runtime.ts';
import { loadOverview } from '../../shared/use-cases/reports/load-overview.ts';

const deps = { payments: { ...payments(), ...paymentLists() }, products: products(), now };

/** GET /dashboard */
export const handler = dashboard(guard, {
  show: async (visit) => overviewPage(frameOf(visit), await loadOverview(deps, visit.request.query('currency'))),
});
