import { payCheckoutPage } from '../../shared/checkout-page/pay-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { holdsApiKey } from '../../shared/http/key-holder.ts';
import { page } from '../../shared/http/page.ts';
import { eligibility, loadCodes } from '../../shared/wiring/discounts.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import { assertConnected, charges } from '../../shared/wiring/processor.ts';
import { checkTaxId } from '../../shared/wiring/registers.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const deps = {
  products: runtime.products(),
  offers: runtime.offers(),
  brands: runtime.brands(),
  sessions: runtime.sessions(),
  payments: runtime.countedPayments(),
  readAhead: runtime.readAhead,
  idempotencyRecords: runtime.idempotencyRecords(),
  holdsApiKey: holdsApiKey({ apiKeys: runtime.apiKeys(), now: runtime.now }),
  taxSettings: selling.taxSettings,
  cards: selling.offeredCards(),
  payOrigins: selling.payOrigins(),
  processorTitle: selling.processorTitle(),
  env,
  merchantId: env.merchant().id,
  processor: charges(),
  assertConnected,
  checkTaxId,
  alert: alertMoney,
  throttles: runtime.throttles(),
  loadCodes,
  eligibility,
  newId: runtime.newId,
  now: runtime.now,
};

/** POST /checkout/{id}/pay */
export const handler = page(payCheckoutPage(deps));
