import { showOfferPage } from '../../shared/checkout-page/offer/show-offer-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import { brands, now, products, readAhead } from '../../shared/wiring/runtime.ts';
import { linkReturnRules } from '../../shared/wiring/selling.ts';

const deps = {
  env,
  products: products(),
  brands: brands(),
  loadCodes,
  readAhead,
  returnRules: linkReturnRules(),
  now,
};

/** GET /buy/{id} */
export const handler = page(showOfferPage(deps));
