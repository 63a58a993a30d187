import { documentAnswer, documentRefusal, presentedSecrets } from '../../shared/documents/document-responses.ts';
import { renderPdfLazily } from '../../shared/documents/pdf/lazy-pdf.ts';
import { env } from '../../shared/env.ts';
import { download } from '../../shared/http/download.ts';
import { admitKeyHolder } from '../../shared/http/key-holder.ts';
import { issuing, mailsDocuments, site } from '../../shared/runtime.ts';
import { getDocument } from '../../shared/use-cases/documents/get-document.ts';

const deps = issuing();
const rendering = { site: site(), isSandbox: env.stage() === 'sandbox', renderPdf: renderPdfLazily };
const notice = { merchant: deps.merchant.name, mailsLinks: mailsDocuments() };

/** GET /invoices/refunds/{refund_id} */
export const handler = download(
  async (request) => {
    const reader = { hasKey: await admitKeyHolder(request.headers), secretsFor: presentedSecrets(request) };
    return documentAnswer(
      await getDocument(deps, { refundId: request.param('refund_id') }, reader),
      request,
      rendering,
    );
  },
  (status, request) => documentRefusal(status, request, notice),
);
