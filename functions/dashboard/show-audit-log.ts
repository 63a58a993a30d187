import { auditPage } from '../../shared/dashboard/access/audit-page.ts';
import { dashboard } from '../../shared/dashboard/dashboard.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { listView } from '../../shared/dashboard/list-view.ts';
import { auditLog } from '../../shared/runtime.ts';

const deps = { auditLog: auditLog() };

/** GET /dashboard/audit-log */
export const handler = dashboard(guard, {
  show: async (visit) => {
    const { request, links } = listView(visit, '/dashboard/audit-log', {});
    const page = await deps.auditLog.list({}, request);
    return auditPage(frameOf(visit), { entries: page.items, ...links(page) });
  },
});
