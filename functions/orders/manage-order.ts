import { orderPages } from '../../shared/dashboard/orders/order-pages.ts';
import { confirmationSections } from '../../shared/documents/confirmation-sections.ts';
import { mailComposer, movedComposer } from '../../shared/documents/document-mail.ts';
import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { documents, mails } from '../../shared/wiring/books.ts';
import { chosenLanguage, currentAddress } from '../../shared/wiring/buyer-language.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import {
  brands,
  customers,
  findStackSecret,
  newId,
  now,
  payments,
  site,
  throttles,
} from '../../shared/wiring/runtime.ts';
import { orderUrlOf, taxIdUrl } from '../../shared/wiring/selling.ts';

const { receipts, supportPhone } = env.merchant();
const from = receipts?.from;
const isSandbox = env.stage() === 'sandbox';
const deps = {
  payments: payments(),
  customers: customers(),
  merchantId: env.merchant().id,
  documents: documents(),
  throttles: throttles(),
  mailer: mailer(),
  mails: mails(),
  brands: brands(),
  compose: mailComposer({
    mailWords: brands().mailWords,
    site: site(),
    isSandbox,
    from,
    confirm: confirmationSections(site(), supportPhone),
  }),
  composeMoved: movedComposer({ isSandbox, from }),
  orderUrl: orderUrlOf,
  taxIdUrl,
  findStackSecret,
  publicUrl: env.publicUrl(),
  chosenLanguage,
  currentAddress,
  hashOf: hashApiKey,
  wantsConfirmations: async () => true, // Only a few mails are sent again, so each of them may have an event.
  newId,
  now,
};

/** GET, POST /dashboard/payments/{id}/order */
export const handler = dashboard(orderPages(deps));
