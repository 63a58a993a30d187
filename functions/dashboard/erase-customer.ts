import { customerForms } from '../../shared/dashboard/payments/customer-pages.ts';
import { env } from '../../shared/env.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { customers, disputes, now, paymentLists, payments, portals, withdrawals } from '../../shared/wiring/runtime.ts';

const deps = {
  customers: customers(),
  payments: { ...payments(), ...paymentLists() },
  disputes: disputes(),
  portals: portals(),
  withdrawals: withdrawals(),
  merchantId: env.merchant().id,
  now,
};

/** POST /dashboard/customers/{id} */
export const handler = dashboard(customerForms(deps));
