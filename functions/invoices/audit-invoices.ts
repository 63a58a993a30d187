import { documents } from '../../shared/books-runtime.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { now, paymentLists, payments } from '../../shared/runtime.ts';
import { auditDocuments } from '../../shared/use-cases/documents/audit-documents.ts';
import { presentAudit, SeriesAuditQuery, toAuditPlace } from '../../shared/wire/document.ts';

const deps = { documents: documents(), payments: { ...payments(), ...paymentLists() }, now };

/** GET /invoices/audit */
export const handler = endpoint({ access: 'read', query: SeriesAuditQuery, present: presentAudit }, ({ query, walk }) =>
  auditDocuments(deps, query.series, toAuditPlace(query.cursor, walk)),
);
