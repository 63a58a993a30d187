import { AuditLogQuery, presentAuditEntry } from '../../shared/wire/access/audit.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { auditLog } from '../../shared/wiring/runtime.ts';

const deps = { auditLog: auditLog() };

/** GET /audit-log */
export const handler = endpoint(
  { access: 'read', query: AuditLogQuery, present: presentPage(presentAuditEntry) },
  ({ query, walk }) => {
    const { created_at_gte: createdFrom, created_at_lte: createdTo } = query;
    return deps.auditLog.list({ createdFrom, createdTo }, toPageRequest(query, walk));
  },
);
