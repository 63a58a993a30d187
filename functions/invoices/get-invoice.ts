import { documentDownload } from '../../shared/documents/document-download.ts';
import { renderPdfLazily } from '../../shared/documents/pdf/lazy-pdf.ts';
import { env } from '../../shared/env.ts';
import { download } from '../../shared/http/download.ts';
import { admitKeyHolder } from '../../shared/http/key-holder.ts';
import { documents, documentsInTurn, exchangeRates, mailsDocuments } from '../../shared/wiring/books.ts';
import { apiKeys, brands, now, payments, random, site, taxRules } from '../../shared/wiring/runtime.ts';

const deps = {
  payments: payments(),
  taxRules: taxRules(),
  brands: brands(),
  documents: documents(),
  merchant: env.merchant(),
  rates: exchangeRates(),
  awaitsRates: env.stage() === 'live',
  isMailed: mailsDocuments(),
  inTurn: documentsInTurn,
  now,
  random,
  site: site(),
  isSandbox: env.stage() === 'sandbox',
  renderPdf: renderPdfLazily,
  admitKeyHolder: admitKeyHolder({ apiKeys: apiKeys(), now }),
  mailsLinks: mailsDocuments(),
};

/** GET /invoices/payments/{payment_id} */
export const handler = download(documentDownload(deps));
