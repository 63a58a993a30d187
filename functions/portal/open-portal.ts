import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { portalMailComposer } from '../../shared/portal/portal-mail.ts';
import { portalRoute } from '../../shared/portal/portal-route.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const merchant = env.merchant();
const deps = {
  portals: runtime.portals(),
  customers: runtime.customers(),
  payments: runtime.payments(),
  lists: runtime.paymentLists(),
  throttles: runtime.throttles(),
  brands: runtime.brands(),
  readAhead: runtime.readAhead,
  mailer: mailer(),
  compose: portalMailComposer({ merchant, from: merchant.receipts?.from, isSandbox: env.stage() === 'sandbox' }),
  stackSecret: runtime.stackSecret,
  newToken: () => runtime.randomText(43),
  now: runtime.now,
  merchantId: merchant.id,
  merchant,
  stage: env.stage(),
  publicUrl: env.publicUrl(),
  answerMs: 1_000,
};

/** GET, POST /portal, /portal/confirm, /portal/orders/{payment_id} */
export const handler = page(portalRoute(deps));
