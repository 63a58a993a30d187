import { dashboard } from '../../shared/dashboard/dashboard.ts';
import { overviewPages } from '../../shared/dashboard/reports/overview-pages.ts';
import { now, paymentLists, payments, products } from '../../shared/runtime.ts';

const deps = { payments: { ...payments(), ...paymentLists() }, products: products(), now };

/** GET /dashboard */
export const handler = dashboard(overviewPages(deps));
