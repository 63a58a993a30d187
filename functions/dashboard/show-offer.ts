import { showOfferPage } from '../../shared/checkout-page/offer/show-offer-page.ts';
import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { page } from '../../shared/http/page.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import { brands, now, products, readAhead, throttles } from '../../shared/wiring/runtime.ts';
import { linkReturnRules } from '../../shared/wiring/selling.ts';

const deps = {
  env,
  products: products(),
  brands: brands(),
  loadCodes,
  throttles: throttles(),
  hashOf: hashApiKey,
  readAhead,
  returnRules: linkReturnRules(),
  now,
};

/** GET /buy/{id} */
export const handler = page(showOfferPage(deps));
