import { confirmationFinder } from '../../shared/documents/confirmation-answer.ts';
import { confirmationSections } from '../../shared/documents/confirmation-sections.ts';
import { documentDownload } from '../../shared/documents/document-download.ts';
import { renderPdfLazily } from '../../shared/documents/pdf/lazy-pdf.ts';
import { env } from '../../shared/env.ts';
import { download } from '../../shared/http/download.ts';
import { admitKeyHolder } from '../../shared/http/key-holder.ts';
import { documents, documentsInTurn, exchangeRates, mailsDocuments } from '../../shared/wiring/books.ts';
import { apiKeys, brands, disputes, now, payments, random, site, taxRules } from '../../shared/wiring/runtime.ts';

const merchant = env.merchant();
const isSandbox = env.stage() === 'sandbox';
const confirm = confirmationSections(site(), merchant.supportPhone);
const deps = {
  payments: payments(),
  disputes: disputes(),
  taxRules: taxRules(),
  brands: brands(),
  documents: documents(),
  merchant,
  rates: exchangeRates(),
  awaitsRates: env.stage() === 'live',
  isMailed: mailsDocuments(),
  inTurn: documentsInTurn,
  now,
  random,
  site: site(),
  isSandbox,
  renderPdf: renderPdfLazily,
  admitKeyHolder: admitKeyHolder({ apiKeys: apiKeys(), now }),
  mailsLinks: mailsDocuments(),
  findConfirmation: confirmationFinder({ brands: brands(), isSandbox, confirm }),
};

/** GET /invoices/payments/{payment_id} */
export const handler = download(documentDownload(deps));
