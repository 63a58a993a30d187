import { openOfferPage } from '../../shared/checkout-page/offer/open-offer-page.ts';
import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { page } from '../../shared/http/page.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const returnRules = selling.linkReturnRules();
const deps = {
  products: runtime.products(),
  entitlements: runtime.entitlements(),
  offers: runtime.offers(),
  sessions: runtime.sessions(),
  payments: runtime.paymentLists(),
  customers: runtime.customers(),
  takesPayments: selling.takesPayments,
  chargeLimits: selling.chargeLimits,
  announcesExpiry: selling.announcesExpiry,
  returnRules,
  checkTaxId: selling.checkOnlyTaxIdForm,
  now: runtime.now,
  newId: runtime.newId,
  newToken: () => runtime.randomText(32),
  loadCodes,
  throttles: runtime.throttles(),
  hashOf: hashApiKey,
  env,
};

/** POST /buy/{id} */
export const handler = page(openOfferPage(deps));
