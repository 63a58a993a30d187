import { openOfferPage } from '../../shared/checkout-page/open-offer-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const stores = {
  ...runtime.catalogue(),
  sessions: runtime.sessions(),
  payments: runtime.paymentLists(),
  customers: runtime.customers(),
};
const returnRules = selling.linkReturnRules();
const chance = { now: runtime.now, newId: runtime.newId, newToken: () => runtime.randomText(32) };
const rules = { ...selling.openingRules(), returnRules, checkTaxId: selling.checkTaxIdForm };
const deps = { ...stores, ...rules, ...chance, loadCodes, env };

/** POST /buy/{id} */
export const handler = page(openOfferPage(deps));
