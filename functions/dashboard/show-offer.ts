import { showOfferPage } from '../../shared/checkout-page/show-offer-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { brands, products, readAhead } from '../../shared/wiring/runtime.ts';
import { linkReturnRules } from '../../shared/wiring/selling.ts';

const deps = { env, products: products(), brands: brands(), readAhead, returnRules: linkReturnRules() };

/** GET /buy/{id} */
export const handler = page(showOfferPage(deps));
