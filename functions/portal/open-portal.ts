import { confirmationSections } from '../../shared/documents/confirmation-sections.ts';
import { mailComposer } from '../../shared/documents/document-mail.ts';
import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { page } from '../../shared/http/page.ts';
import { portalMailComposer } from '../../shared/portal/portal-mail.ts';
import { portalRoute } from '../../shared/portal/portal-route.ts';
import { documents, mails } from '../../shared/wiring/books.ts';
import { chosenLanguage } from '../../shared/wiring/buyer-language.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import { orderUrlOf, taxIdUrl } from '../../shared/wiring/selling.ts';

const merchant = env.merchant();
const from = merchant.receipts?.from;
const isSandbox = env.stage() === 'sandbox';
const deps = {
  portals: runtime.portals(),
  customers: runtime.customers(),
  payments: runtime.payments(),
  lists: runtime.paymentLists(),
  throttles: runtime.throttles(),
  brands: runtime.brands(),
  readAhead: runtime.readAhead,
  licenseKeys: runtime.licenseKeys(),
  grants: runtime.grants(),
  withdrawals: runtime.withdrawals(),
  documents: documents(),
  mails: mails(),
  mailer: mailer(),
  compose: portalMailComposer({ merchant, from, isSandbox }),
  composePurchase: mailComposer({
    mailWords: runtime.brands().mailWords,
    site: runtime.site(),
    isSandbox,
    from,
    confirm: confirmationSections(runtime.site(), merchant.supportPhone),
  }),
  orderUrl: orderUrlOf,
  taxIdUrl,
  chosenLanguage,
  hashOf: hashApiKey,
  wantsConfirmations: async () => true, // This function may not read the endpoints, because their rows contain secrets.
  newId: runtime.newId,
  stackSecret: runtime.stackSecret,
  newToken: () => runtime.randomText(43),
  now: runtime.now,
  merchantId: merchant.id,
  merchant,
  stage: env.stage(),
  publicUrl: env.publicUrl(),
  answerMs: 1_000,
};

/** GET, POST /portal, /portal/confirm, /portal/keys, /portal/data, /portal/orders/{payment_id} */
export const handler = page(portalRoute(deps));
