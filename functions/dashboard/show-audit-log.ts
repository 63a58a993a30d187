import { dashboard } from '../../shared/http/dashboard.ts';
import { auditPage } from '../../shared/pages/dashboard/audit-page.ts';
import { frameOf } from '../../shared/pages/dashboard/frame.ts';
import { guard } from '../../shared/pages/dashboard/guard.ts';
import { auditLog } from '../../shared/runtime.ts';
import { listView } from '../../shared/wire/dashboard-list.ts';

const deps = { auditLog: auditLog() };

/** GET /dashboard/audit-log */
export const handler = dashboard(guard, {
  show: async (visit) => {
    const { request, links } = listView(visit, '/dashboard/audit-log', {});
    const page = await deps.auditLog.list({}, request);
    return auditPage(frameOf(visit), { entries: page.items, ...links(page) });
  },
});
