import { renderPdfLazily } from '../../shared/documents/lazy-pdf.ts';
import { env } from '../../shared/env.ts';
import { download } from '../../shared/http/download.ts';
import { documentAnswer, documentRefusal } from '../../shared/pages/documents/document-answer.ts';
import { issuing, site } from '../../shared/runtime.ts';
import { getDocument } from '../../shared/use-cases/get-document.ts';

const deps = issuing();
const rendering = { site: site(), isSandbox: env.stage() === 'sandbox', renderPdf: renderPdfLazily };

/** GET /invoices/payments/{payment_id} */
export const handler = download(
  async (request) =>
    documentAnswer(await getDocument(deps, { paymentId: request.param('payment_id') }), request, rendering),
  (status, request) => documentRefusal(status, request, deps.merchant.name),
);
