import { auditPages } from '../../shared/dashboard/access/audit-page.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { auditLog } from '../../shared/wiring/runtime.ts';

const deps = { auditLog: auditLog() };

/** GET /dashboard/audit-log */
export const handler = dashboard(auditPages(deps));
