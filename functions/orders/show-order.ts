import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { showOrderPage } from '../../shared/order-page/show-order-page.ts';
import { mails, mailsDocuments } from '../../shared/wiring/books.ts';
import { buyerFiles, fileOrigin } from '../../shared/wiring/files.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import { taxIdUrl } from '../../shared/wiring/selling.ts';

const deps = {
  payments: runtime.payments(),
  sessions: runtime.sessions(),
  disputes: runtime.disputes(),
  brands: runtime.brands(),
  grants: runtime.grants(),
  entitlements: runtime.entitlements(),
  licenseKeys: runtime.licenseKeys(),
  pool: runtime.codePools(),
  mails: mails(),
  isMailed: mailsDocuments(),
  files: buyerFiles(),
  fileOrigin,
  readAhead: runtime.readAhead,
  stackSecret: runtime.findStackSecret,
  taxIdUrl,
  now: runtime.now,
  newId: runtime.newId,
  newBytes: runtime.newBytes,
  merchant: env.merchant(),
  stage: env.stage(),
  site: runtime.site(),
};

/** GET, POST /orders/{payment_id} */
export const handler = page(showOrderPage(deps));
