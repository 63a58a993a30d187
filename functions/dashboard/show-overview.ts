import { dashboard } from '../../shared/http/dashboard.ts';
import { frameOf } from '../../shared/pages/dashboard/frame.ts';
import { guard } from '../../shared/pages/dashboard/guard.ts';
import { overviewPage } from '../../shared/pages/dashboard/overview-page.ts';
import { now, paymentLists, payments, products } from '../../shared/runtime.ts';
import { loadOverview } from '../../shared/use-cases/load-overview.ts';

const deps = { payments: { ...payments(), ...paymentLists() }, products: products(), now };

/** GET /dashboard */
export const handler = dashboard(guard, {
  show: async (visit) => overviewPage(frameOf(visit), await loadOverview(deps, visit.request.query('currency'))),
});
