import type { AuditStore } from '../../store/access/audit-store.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { auditPage } from './audit-page.ts';

/** The audit log, the newest entry first. */
export const auditPages = (deps: { auditLog: Pick<AuditStore, 'list'> }): DashboardRoutes => ({
  show: async (visit) => {
    const { request, links } = await listView(visit, '/dashboard/audit-log', {});
    const page = await deps.auditLog.list({}, request);
    return auditPage(frameOf(visit), { entries: page.items, ...links(page) });
  },
});
