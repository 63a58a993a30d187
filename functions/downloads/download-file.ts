import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { downloadRoute } from '../../shared/order-page/downloads/download-route.ts';
import { mails, mailsDocuments } from '../../shared/wiring/books.ts';
import { buyerFiles, fileOrigin } from '../../shared/wiring/files.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const deps = {
  grants: runtime.grants(),
  payments: runtime.payments(),
  entitlements: runtime.entitlements(),
  throttles: runtime.throttles(),
  brands: runtime.brands(),
  mails: mails(),
  isMailed: mailsDocuments(),
  files: buyerFiles(),
  fileOrigin,
  readAhead: runtime.readAhead,
  stackSecret: () => runtime.apiKeys().findSessionSecret(),
  now: runtime.now,
  merchant: env.merchant(),
  stage: env.stage(),
  publicUrl: env.publicUrl(),
};

/** GET, POST /downloads/{grant_id}/{file_id} */
export const handler = page(downloadRoute(deps));
