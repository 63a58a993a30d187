import { disputeForms } from '../../shared/dashboard/disputes/dispute-pages.ts';
import { documents } from '../../shared/wiring/books.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { disputes, entitlements, grants, licenseKeys, newId, now, payments } from '../../shared/wiring/runtime.ts';

const deps = {
  disputes: disputes(),
  payments: payments(),
  documents: documents(),
  grants: grants(),
  entitlements: entitlements(),
  licenseKeys: licenseKeys(),
  now,
  newId,
};

/** POST /dashboard/disputes/{id} */
export const handler = dashboard(disputeForms(deps));
