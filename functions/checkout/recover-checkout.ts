import { recoverCheckoutPage } from '../../shared/checkout-page/recovery/recover-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const deps = {
  products: runtime.products(),
  entitlements: runtime.entitlements(),
  offers: runtime.offers(),
  sessions: runtime.sessions(),
  brands: runtime.brands(),
  takesPayments: selling.takesPayments,
  chargeLimits: selling.chargeLimits,
  announcesExpiry: selling.announcesExpiry,
  returnRules: selling.returnRules(),
  checkTaxId: selling.checkOnlyTaxIdForm,
  now: runtime.now,
  newId: runtime.newId,
  newToken: () => runtime.randomText(32),
  loadCodes,
  readAhead: runtime.readAhead,
  env,
};

/** GET, POST /checkout/{id}/recover */
export const handler = page(recoverCheckoutPage(deps));
