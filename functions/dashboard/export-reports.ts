import { exportPages } from '../../shared/dashboard/reports/export-pages.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { auditLog, disputes, now, paymentLists, payments } from '../../shared/wiring/runtime.ts';

const deps = { payments: { ...payments(), ...paymentLists() }, disputes: disputes(), auditLog: auditLog(), now };

/** GET /dashboard/exports /dashboard/exports/{file} */
export const handler = dashboard(exportPages(deps));
