import { disputePages } from '../../shared/dashboard/disputes/dispute-pages.ts';
import { documents } from '../../shared/wiring/books.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { disputes, entitlements, grants, licenseKeys, paymentLists, payments } from '../../shared/wiring/runtime.ts';

const deps = {
  disputes: disputes(),
  payments: payments(),
  lists: paymentLists(),
  documents: documents(),
  grants: grants(),
  entitlements: entitlements(),
  licenseKeys: licenseKeys(),
};

/** GET /dashboard/disputes and /dashboard/disputes/{id} */
export const handler = dashboard(disputePages(deps));
