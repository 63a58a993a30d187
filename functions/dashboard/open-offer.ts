import { openOfferPage } from '../../shared/checkout-page/open-offer-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import {
  checkTaxId,
  newId,
  now,
  paymentLists,
  products,
  randomText,
  sessions,
  takesPayments,
} from '../../shared/runtime.ts';

const stores = { products: products(), sessions: sessions(), payments: paymentLists() };
const returnRules = { origins: undefined, httpsOnly: true };
const deps = { ...stores, env, checkTaxId, returnRules, takesPayments, now, newId, newToken: () => randomText(32) };

/** POST /buy/{id} */
export const handler = page(openOfferPage(deps));
