import { auditDocuments } from '../../shared/use-cases/documents/audit-documents.ts';
import { presentAudit, SeriesAuditQuery, toAuditPlace } from '../../shared/wire/documents/document.ts';
import { documents } from '../../shared/wiring/books.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { disputes, now, paymentLists, payments } from '../../shared/wiring/runtime.ts';

const deps = { documents: documents(), payments: { ...payments(), ...paymentLists() }, disputes: disputes(), now };

/** GET /invoices/audit */
export const handler = endpoint({ access: 'read', query: SeriesAuditQuery, present: presentAudit }, ({ query, walk }) =>
  auditDocuments(deps, query.series, toAuditPlace(query.cursor, walk)),
);
