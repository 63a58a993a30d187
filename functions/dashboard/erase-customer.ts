import { dashboard } from '../../shared/dashboard/dashboard.ts';
import { customerForms } from '../../shared/dashboard/payments/customer-pages.ts';
import { customers, disputes, now, paymentLists, payments } from '../../shared/wiring/runtime.ts';

const stores = { customers: customers(), payments: { ...payments(), ...paymentLists() }, disputes: disputes() };

/** POST /dashboard/customers/{id} */
export const handler = dashboard(customerForms({ ...stores, now }));
