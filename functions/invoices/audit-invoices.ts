import { documents } from '../../shared/books-runtime.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { now, paymentLists, payments } from '../../shared/runtime.ts';
import { auditDocuments } from '../../shared/use-cases/documents/audit-documents.ts';
import { presentAudit, SeriesAuditQuery } from '../../shared/wire/document.ts';

const deps = { documents: documents(), payments: { ...payments(), ...paymentLists() }, now };

/** GET /invoices/audit */
export const handler = endpoint({ access: 'read', query: SeriesAuditQuery, present: presentAudit }, ({ query }) =>
  auditDocuments(deps, query.series, query.cursor),
);
