import { quoteCheckoutPage } from '../../shared/checkout-page/quote-checkout-page.ts';
import { env } from '../../shared/env.ts';
import { holdsApiKey } from '../../shared/http/key-holder.ts';
import { page } from '../../shared/http/page.ts';
import {
  brands,
  checkTaxId,
  now,
  offeredCards,
  payments,
  readAhead,
  sessions,
  taxSettings,
} from '../../shared/runtime.ts';

const stores = { sessions: sessions(), payments: payments(), brands: brands(), taxSettings, readAhead };
const deps = { ...stores, env, cards: offeredCards(), checkTaxId, holdsApiKey, now };

/** POST /checkout/{id}/quote */
export const handler = page(quoteCheckoutPage(deps));
