import { customerPages } from '../../shared/dashboard/payments/customer-pages.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const deps = {
  customers: runtime.customers(),
  payments: runtime.paymentLists(),
  portals: runtime.portals(),
  products: runtime.products(),
  opened: {
    grants: runtime.grants(),
    entitlements: runtime.entitlements(),
    licenseKeys: runtime.licenseKeys(),
    payments: runtime.payments(),
    now: runtime.now,
  },
};

/** GET /dashboard/customers /dashboard/customers/{id} */
export const handler = dashboard(customerPages(deps));
