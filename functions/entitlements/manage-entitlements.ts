import { entitlementPages } from '../../shared/dashboard/entitlements/entitlement-pages.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { buyerFiles, fileOrigin } from '../../shared/wiring/files.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const deps = {
  products: runtime.products(),
  entitlements: runtime.entitlements(),
  pool: runtime.codePools(),
  grants: runtime.grants(),
  payments: runtime.payments(),
  licenseKeys: runtime.licenseKeys(),
  customers: { customers: runtime.customers(), payments: runtime.paymentLists() },
  files: buyerFiles(),
  fileOrigin,
  now: runtime.now,
  newId: runtime.newId,
  newBytes: runtime.newBytes,
};

/** GET, POST /dashboard/products/{id}/entitlements /dashboard/products/{id}/entitlements/{entitlement_id} */
export const handler = dashboard(entitlementPages(deps));
