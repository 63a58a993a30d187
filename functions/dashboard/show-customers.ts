import { dashboard } from '../../shared/dashboard/dashboard.ts';
import { customerPages } from '../../shared/dashboard/payments/customer-pages.ts';
import { paymentLists } from '../../shared/runtime.ts';

const deps = { payments: paymentLists() };

/** GET /dashboard/customers /dashboard/customers/{id} */
export const handler = dashboard(customerPages(deps));
