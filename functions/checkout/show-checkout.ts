import { showCheckoutPage } from '../../shared/checkout-page/show-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { checkTaxId } from '../../shared/wiring/registers.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const deps = {
  sessions: runtime.sessions(),
  payments: runtime.payments(),
  products: runtime.products(),
  offers: runtime.offers(),
  brands: runtime.brands(),
  readAhead: runtime.readAhead,
  taxSettings: selling.taxSettings,
  cards: selling.offeredCards(),
  payOrigins: selling.payOrigins(),
  processorTitle: selling.processorTitle(),
  checkTaxId,
  takesPayments: selling.takesPayments,
  orderUrl: selling.orderUrlOf,
  now: runtime.now,
  randomText: runtime.randomText,
  env,
};

/** GET /checkout/{id} */
export const handler = page(showCheckoutPage(deps));
