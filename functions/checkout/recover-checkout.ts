import { recoverCheckoutPage } from '../../shared/checkout-page/recovery/recover-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const stores = { ...runtime.catalogue(), sessions: runtime.sessions(), brands: runtime.brands() };
const rules = { ...selling.openingRules(), returnRules: selling.returnRules(), checkTaxId: selling.checkTaxIdForm };
const chance = { now: runtime.now, newId: runtime.newId, newToken: () => runtime.randomText(32) };
const deps = { ...stores, ...rules, ...chance, loadCodes, readAhead: runtime.readAhead, env };

/** GET, POST /checkout/{id}/recover */
export const handler = page(recoverCheckoutPage(deps));
