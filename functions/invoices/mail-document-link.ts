import { mailComposer } from '../../shared/documents/document-mail.ts';
import { mailLinkPage } from '../../shared/documents/mail-link-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { documents, mails } from '../../shared/wiring/books.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import { brands, newId, now, site } from '../../shared/wiring/runtime.ts';

const merchant = env.merchant();
const from = merchant.receipts?.from;
const compose = mailComposer({
  mailWords: brands().mailWords,
  site: site(),
  isSandbox: env.stage() === 'sandbox',
  from,
});
const deps = {
  brands: brands(),
  documents: documents(),
  mailer: mailer(),
  mails: mails(),
  compose,
  merchant,
  newId,
  now,
};

/** POST /invoices/payments/{payment_id} /invoices/refunds/{refund_id} */
export const handler = page(mailLinkPage(deps));
