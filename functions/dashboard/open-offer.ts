import { openOfferPage } from '../../shared/checkout-page/open-offer-page.ts';
import { loadCodes } from '../../shared/discounts-runtime.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import * as runtime from '../../shared/runtime.ts';
import * as selling from '../../shared/selling-runtime.ts';

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
