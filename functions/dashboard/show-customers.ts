import { customerPages } from '../../shared/dashboard/payments/customer-pages.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { customers, paymentLists } from '../../shared/wiring/runtime.ts';

/** GET /dashboard/customers /dashboard/customers/{id} */
export const handler = dashboard(customerPages({ customers: customers(), payments: paymentLists() }));
