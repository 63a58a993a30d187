import { showCheckoutPage } from '../../shared/checkout-page/show-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { testCards } from '../../shared/processor/sandbox-cards.ts';
import { brands, checkTaxId, now, payments, readAhead, sessions, taxSettings } from '../../shared/runtime.ts';

const stores = { sessions: sessions(), payments: payments(), brands: brands(), taxSettings, readAhead };
const deps = { ...stores, env, cards: testCards, checkTaxId, now };

/** GET /checkout/{id} */
export const handler = page(showCheckoutPage(deps));
