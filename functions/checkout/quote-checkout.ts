import { quoteCheckoutPage } from '../../shared/checkout-page/quote-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { holdsApiKey } from '../../shared/http/key-holder.ts';
import { page } from '../../shared/http/page.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import { checkTaxId } from '../../shared/wiring/registers.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const deps = {
  products: runtime.products(),
  offers: runtime.offers(),
  brands: runtime.brands(),
  sessions: runtime.sessions(),
  payments: runtime.payments(),
  readAhead: runtime.readAhead,
  holdsApiKey: holdsApiKey({ apiKeys: runtime.apiKeys(), now: runtime.now }),
  taxSettings: selling.taxSettings,
  cards: selling.offeredCards(),
  payOrigins: selling.payOrigins(),
  processorTitle: selling.processorTitle(),
  env,
  checkTaxId,
  loadCodes,
  now: runtime.now,
};

/** POST /checkout/{id}/quote */
export const handler = page(quoteCheckoutPage(deps));
