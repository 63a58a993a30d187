import { showCheckoutPage } from '../../shared/checkout-page/show-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import {
  brands,
  checkTaxId,
  now,
  offeredCards,
  payments,
  readAhead,
  sessions,
  takesPayments,
  taxSettings,
} from '../../shared/runtime.ts';

const stores = { sessions: sessions(), payments: payments(), brands: brands(), taxSettings, readAhead };
const deps = { ...stores, env, cards: offeredCards(), checkTaxId, takesPayments, now };

/** GET /checkout/{id} */
export const handler = page(showCheckoutPage(deps));
